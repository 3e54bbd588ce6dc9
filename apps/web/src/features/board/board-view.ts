import type { UserId } from '@mogakgong/contract';
import type { ReactNode } from 'react';
import type { BoardRoom } from './board-room.ts';

/** What the board is shown from. */
export interface BoardView {
  readonly board: BoardRoom;
  /** Nicknames of those who sit here. */
  readonly names: ReadonlyMap<UserId, string>;
  /** Whose pointers are not shown. */
  readonly blockedIds: ReadonlySet<UserId>;
  /** Whether the learner may clear the board and bring it back. */
  readonly mayClear: boolean;
  /** Says that and why the learner may not draw; null while they may. */
  readonly muteNote: ReactNode;
}
