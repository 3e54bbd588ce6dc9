import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useSession } from '../../features/auth/index.ts';
import { markEntering } from '../../features/media/index.ts';
import { enterStudyRoom, validUserId } from '../../features/rooms/index.ts';
import { ApiError } from '../../shared/api/index.ts';
import { translate } from '../../shared/i18n/texts.ts';
import { studyRoomPath } from '../../shared/lib/paths.ts';

export interface Entering {
  readonly isEntering: boolean;
  /** Why the last try failed. */
  readonly problem: string | null;
  /** Takes the best free seat and goes there; a second press while that runs does nothing. */
  readonly enter: () => Promise<void>;
}

/** Entering from /main. `onSeated` is called before the room opens. */
export function useEnter(onSeated: () => void): Entering {
  const userId = useSession((session) => validUserId(session.user?.userId));
  const [, navigate] = useLocation();
  const [isEntering, setIsEntering] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isRunning = useRef(false);

  const enter = async () => {
    if (isRunning.current) return;
    if (userId === null) return setProblem(translate('room.invalidUser'));
    isRunning.current = true;
    setIsEntering(true);
    setProblem(null);
    markEntering();
    try {
      const roomId = await enterStudyRoom(userId, undefined, translate('room.enterFailed'));
      onSeated();
      navigate(studyRoomPath(roomId), { state: { seated: true } });
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : translate('room.enterFailed'));
    } finally {
      isRunning.current = false;
      setIsEntering(false);
    }
  };
  return { isEntering, problem, enter };
}
