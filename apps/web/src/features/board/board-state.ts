import type { BoardElement, ErrorName, UserId } from '@mogakgong/contract';
import type { PointerPosition } from './board-sender.ts';

/** Why something that was drawn is not on the board. */
export interface BoardProblem {
  readonly errorName: ErrorName | null;
  /** In the server's words; empty where this tab refused it itself. */
  readonly text: string;
}

export interface BoardState {
  /** `offline`: what is known grows old, and what is drawn is sent later. */
  readonly state: 'loading' | 'live' | 'offline';
  /** Differs between all boards and what they are replaced by; null until the board is known. */
  readonly generation: number | null;
  /** Where the others point to. */
  readonly pointers: ReadonlyMap<UserId, NonNullable<PointerPosition>>;
  /** The last one; another object for each. */
  readonly problem: BoardProblem | null;
  /** The server fails to store what was drawn here; it is sent again. */
  readonly isHeldUp: boolean;
  /** Whether something that was drawn here is not known to be on the board yet. */
  readonly hasUnsent: boolean;
  /** The elements to be shown, by id and without deleted ones, own changes included. */
  readonly elements: ReadonlyMap<string, BoardElement>;
}
