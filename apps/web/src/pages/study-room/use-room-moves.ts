import type { RoomId, UserId } from '@mogakgong/contract';
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { markEntering } from '../../features/media/index.ts';
import type { RoomSession } from '../../features/media/room.ts';
import { enterStudyRoom, leaveStudyRoom } from '../../features/rooms/index.ts';
import { ApiError } from '../../shared/api/index.ts';
import { translate } from '../../shared/i18n/texts.ts';
import { paths, studyRoomPath } from '../../shared/lib/paths.ts';
import { notify } from '../../shared/ui/notify.ts';

export interface RoomMoves {
  /** True while one of the moves is under way: the others wait. */
  readonly isMoving: boolean;
  /** Gives up the seat and goes to /main. */
  readonly leave: () => void;
  /** Goes to the seat one has, or to the best free one. */
  readonly goToSeat: () => void;
  /** Gives up the seat in the other room and comes in here. */
  readonly moveHere: () => void;
}

/** The ways out of this room and into another. */
export function useRoomMoves(
  userId: UserId,
  roomId: RoomId,
  session: RoomSession | null,
): RoomMoves {
  const [, navigate] = useLocation();
  const [isMoving, setIsMoving] = useState(false);
  const isRunning = useRef(false);

  const move = (work: () => Promise<void>, failure: string) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setIsMoving(true);
    work()
      .catch((error: unknown) => {
        const text = error instanceof ApiError ? error.message : failure;
        void notify.dialog(text === failure ? { text } : { title: failure, text });
      })
      .finally(() => {
        isRunning.current = false;
        setIsMoving(false);
      });
  };

  const leave = async () => {
    // The camera goes off and the tile elsewhere disappears, whatever the API answers.
    session?.leave();
    try {
      await leaveStudyRoom(userId);
    } finally {
      navigate(paths.main);
    }
  };
  const goToSeat = async () => {
    markEntering();
    const seat = await enterStudyRoom(userId);
    if (seat === roomId) session?.enter();
    else navigate(studyRoomPath(seat), { replace: true, state: { seated: true } });
  };
  const moveHere = async () => {
    await leaveStudyRoom(userId);
    session?.enter();
  };
  return {
    isMoving,
    leave: () => move(leave, translate('room.leaveFailed')),
    goToSeat: () => move(goToSeat, translate('room.enterFailed')),
    moveHere: () => move(moveHere, translate('room.leaveFailed')),
  };
}
