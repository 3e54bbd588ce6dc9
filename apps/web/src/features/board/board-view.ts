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
  /** Who empties the board or takes a version back: the learner, all who sit here by a vote, or the host. */
  readonly replacedBy: 'self' | 'vote' | 'host';
  /** Says that and why the learner may not draw; null while they may. */
  readonly muteNote: ReactNode;
}
