import type { RoomId, UserId } from '@mogakgong/contract';
import type { ComponentProps } from 'react';
import { Board } from './board.tsx';
import { useRoomLeaderboard } from './use-leaderboard.ts';

interface RoomLeaderboardProps extends Pick<ComponentProps<typeof Board>, 'renderName'> {
  readonly userId: UserId;
  readonly roomId: RoomId;
  /** Who sits in the room, as presence says: the board follows it. */
  readonly members: unknown;
}

/** The board of those who sit in the learner's room now. */
export function RoomLeaderboard(props: RoomLeaderboardProps) {
  const { userId, roomId, members, renderName } = props;
  const board = useRoomLeaderboard(userId, roomId, members);
  return <Board userId={userId} board={board} renderName={renderName} />;
}
