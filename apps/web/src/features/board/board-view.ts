import type { UserId } from '@mogakgong/contract';
import type { ReactNode } from 'react';
import type { BoardRoom } from './board-room.ts';

/** The data that the board shows. */
export interface BoardView {
  readonly board: BoardRoom;
  /** Nicknames of the seated learners. */
  readonly names: ReadonlyMap<UserId, string>;
  /** Learners with hidden pointers. */
  readonly blockedIds: ReadonlySet<UserId>;
  /** Whether the learner may clear the board and bring it back. */
  readonly mayClear: boolean;
  /** Says that and why the learner may not draw; null while they may. */
  readonly muteNote: ReactNode;
}
