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

/** The fields of a stored element that the merge needs. */
export interface KnownElement extends ElementRevision {
  readonly isDeleted: boolean;
  readonly authorId: UserId;
  readonly bytes: number;
}

/** The stored data of a board that the merge of new elements needs. */
export interface KnownOfBoard {
  readonly known: ReadonlyMap<string, KnownElement>;
  /** The pictures of the board: an element must show one of them. */
  readonly pictureIds: ReadonlySet<string>;
}

/** One message of one learner. */
export interface SentElements {
  readonly senderId: UserId;
  /** The learners with a block between them and the sender. */
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
  /** For each of `sent`: merged, or the reason for refusing all of it. */
  readonly outcomes: readonly MergeOutcome[];
  /** The new current states. */
  readonly winners: readonly StoredElement[];
  readonly totals: BoardTotals;
}

/**
 * Maximum lead of a version over the stored one: an hour of dragging is less. Without a bound, a state with
 * the highest possible version could never be changed or deleted.
 */
const VERSION_STEP_MAX = 1_000_000;

/**
 * Merges messages of several learners into a board, in their order, by the rule of `supersedes`. A message is
 * merged or refused as a whole. A state that loses is no failure: its sender gets the winner like everybody,
 * by the numbers of the board. With a block between the sender and an element's author the change always
 * loses, so that it does not reach the author.
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
      // From the state before the message, which may hold an element several times.
      if (version - (current.get(id)?.version ?? 0) > VERSION_STEP_MAX) return 'boardElementBad';
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

/** Deletions and reductions are allowed even on a full board. */
function isTooMuch(after: BoardTotals, before: BoardTotals): boolean {
  return (
    (after.elements > BOARD_ELEMENTS_MAX && after.elements > before.elements) ||
    (after.bytes > BOARD_MAX_BYTES && after.bytes > before.bytes)
  );
}
