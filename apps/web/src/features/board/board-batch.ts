import type { BoardElement, ElementRevision } from '@mogakgong/contract';
import { bytesOf, fitting } from './element-size.ts';

/** A change of this learner that the server's state does not show yet. */
export interface OwnChange {
  readonly element: BoardElement;
  /** Nobody but this tab has ever had the element. */
  readonly isNew: boolean;
  /** The revision that was sent last, unless it must be sent again. */
  readonly sent: ElementRevision | null;
  /** Some state of it may have arrived. */
  readonly wasSent: boolean;
  /** The board's number from which on it includes this state, or a later one; null: not confirmed. */
  readonly confirmedNumber: number | null;
  /** Not sent again before this time (`performance.now()`). */
  readonly dueAtMs: number;
}

export interface BatchSize {
  readonly elements: number;
  readonly bytes: number;
}

/** Elements to be sent together, and those that no frame can carry. */
export interface Batch {
  readonly elements: readonly BoardElement[];
  readonly tooLarge: readonly BoardElement[];
}

/**
 * A stroke that is being drawn is sent whole each time: at this pace its bytes grow with the time that
 * drawing takes, not with the square of its length.
 */
const BYTES_PER_MS = 40;
/** How long an element that cannot be sent as it is now may be changed before it is measured again. */
const TOO_LARGE_WAIT_MS = 500;

export const isSame = (one: ElementRevision, other: ElementRevision) =>
  one.version === other.version && one.versionNonce === other.versionNonce;

/** Whether its present state was not sent. */
export const isWaiting = ({ element, sent }: OwnChange) => sent === null || !isSame(sent, element);

/**
 * Chooses the changes to be sent now, as many as fit.
 * @param editing ids of elements that may still become smaller.
 * @returns the batch, and the changes that count as sent or are to be measured again later.
 */
export function nextBatch(
  changes: readonly OwnChange[],
  editing: ReadonlySet<string>,
  nowMs: number,
  most: BatchSize,
): { readonly batch: Batch; readonly tried: readonly OwnChange[] } {
  const elements: BoardElement[] = [];
  const tooLarge: BoardElement[] = [];
  const tried: OwnChange[] = [];
  let bytes = 0;
  for (const change of changes) {
    if (elements.length === most.elements) break;
    if (change.dueAtMs > nowMs) continue;
    const element = asSent(change.element);
    if (element === null) {
      tried.push({ ...change, dueAtMs: nowMs + TOO_LARGE_WAIT_MS });
      if (!editing.has(change.element.id)) tooLarge.push(change.element);
      continue;
    }
    const size = bytesOf(element);
    if (elements.length > 0 && bytes + size > most.bytes) break;
    bytes += size;
    elements.push(element);
    tried.push({ ...change, sent: element, wasSent: true, dueAtMs: nowMs + size / BYTES_PER_MS });
  }
  return { batch: { elements, tooLarge }, tried };
}

/** Of a deleted element no more than that; null where it is too large. */
function asSent(element: BoardElement): BoardElement | null {
  const { id, type, version, versionNonce, isDeleted } = element;
  return isDeleted ? { id, type, version, versionNonce, isDeleted } : fitting(element);
}
