import {
  BOARD_ELEMENTS_MAX,
  BOARD_MAX_BYTES,
  type ElementRevision,
  supersedes,
  type UserId,
} from '@mogakgong/contract';
import { type DrawnElement, withAuthor } from './board-element.ts';

/** An element as it is stored and delivered. */
export interface StoredElement extends ElementRevision {
  readonly id: string;
  readonly isDeleted: boolean;
  readonly authorId: UserId;
  readonly json: string;
}

/** What the merge must know of an element that is stored already. */
export interface KnownElement extends ElementRevision {
  readonly isDeleted: boolean;
  readonly authorId: UserId;
  readonly bytes: number;
}

/** What is stored of a board that concerns what was sent to it. */
export interface KnownOfBoard {
  readonly known: ReadonlyMap<string, KnownElement>;
  /** The pictures of the board: an element shows one of them, or is refused. */
  readonly pictureIds: ReadonlySet<string>;
}

/** What one learner sent at once. */
export interface SentElements {
  readonly senderId: UserId;
  /** From whom a block keeps the sender apart. */
  readonly apart: ReadonlySet<UserId>;
  readonly elements: readonly DrawnElement[];
}

/** Elements that are not deleted, and the bytes of their JSON. */
export interface BoardTotals {
  readonly elements: number;
  readonly bytes: number;
}

export type MergeOutcome = 'merged' | 'boardFull' | 'boardElementBad';

interface Merged {
  /** For each of `sent` whether it was merged, or why nothing of it was. */
  readonly outcomes: readonly MergeOutcome[];
  /** The elements that hold now and did not before. */
  readonly winners: readonly StoredElement[];
  readonly totals: BoardTotals;
}

/**
 * A state may be ahead of the stored one by so much: an hour of dragging is less. Without a bound one
 * state with the highest version there is could never be changed or deleted.
 */
const VERSION_STEP_MAX = 1_000_000;

/**
 * Merges what several learners sent into a board, in their order, by the rule of `supersedes`. What was
 * sent at once is merged or refused as a whole. What loses is no failure: its sender gets the winner like
 * everybody, as it has or will have a number of the board. Who made an element is not reached through it by
 * anybody from whom a block keeps them apart: such a change always loses.
 */
export function mergeChanges(
  { known, pictureIds }: KnownOfBoard,
  before: BoardTotals,
  sent: readonly SentElements[],
): Merged {
  const winners = new Map<string, StoredElement>();
  const current = new Map(known);
  let totals = before;
  const outcomes = sent.map(({ senderId, apart, elements }): MergeOutcome => {
    const changed = new Map<string, { stored: StoredElement; bytes: number }>();
    let after = totals;
    for (const element of elements) {
      const { id, version, versionNonce, isDeleted, pictureId } = element;
      const change = changed.get(id);
      const held = change ? { ...change.stored, bytes: change.bytes } : current.get(id);
      if (version - (held?.version ?? 0) > VERSION_STEP_MAX) return 'boardElementBad';
      if (pictureId !== null && !pictureIds.has(pictureId)) return 'boardElementBad';
      if (held && (apart.has(held.authorId) || !supersedes(element, held))) continue;
      const authorId = held?.authorId ?? senderId;
      const json = withAuthor(element, authorId, senderId);
      const bytes = Buffer.byteLength(json);
      after = {
        elements: after.elements + Number(!isDeleted) - Number(held?.isDeleted === false),
        bytes: after.bytes + (isDeleted ? 0 : bytes) - (held?.isDeleted === false ? held.bytes : 0),
      };
      changed.set(id, { stored: { id, version, versionNonce, isDeleted, authorId, json }, bytes });
    }
    if (isTooMuch(after, totals)) return 'boardFull';
    totals = after;
    for (const [id, { stored, bytes }] of changed) {
      winners.set(id, stored);
      current.set(id, { ...stored, bytes });
    }
    return 'merged';
  });
  return { outcomes, winners: [...winners.values()], totals };
}

/** Deleting, and making smaller, is possible on a full board, too. */
function isTooMuch(after: BoardTotals, before: BoardTotals): boolean {
  return (
    (after.elements > BOARD_ELEMENTS_MAX && after.elements > before.elements) ||
    (after.bytes > BOARD_MAX_BYTES && after.bytes > before.bytes)
  );
}
