import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { markEntering } from '../../features/media/index.ts';
import { ApiError } from '../../shared/api/index.ts';
import { translate } from '../../shared/i18n/texts.ts';
import { studyRoomPath } from '../../shared/lib/paths.ts';
import { takeSeat } from './take-seat.ts';

export interface Entering {
  readonly isEntering: boolean;
  /** Why the last try failed. */
  readonly problem: string | null;
  /** Takes the best free seat and goes there; a second press while that runs does nothing. */
  readonly enter: () => Promise<void>;
}

/**
 * Entering from /main, for as long as the component is there: once it is gone, a late answer opens no
 * room any more. `onSeated` is called before the room opens.
 */
export function useEnter(onSeated: () => void): Entering {
  const userId = useOwnUserId();
  const [, navigate] = useLocation();
  const [isEntering, setIsEntering] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const wishRef = useRef<AbortController | null>(null);
  useEffect(() => () => wishRef.current?.abort(), []);

  const enter = async () => {
    if (wishRef.current !== null) return;
    if (userId === null) return setProblem(translate('room.invalidUser'));
    const wish = new AbortController();
    wishRef.current = wish;
    setIsEntering(true);
    setProblem(null);
    markEntering();
    try {
      const roomId = await takeSeat(userId, wish.signal);
      if (roomId === null) return;
      onSeated();
      navigate(studyRoomPath(roomId), { state: { seated: true } });
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : translate('room.enterFailed'));
    } finally {
      wishRef.current = null;
      setIsEntering(false);
    }
  };
  return { isEntering, problem, enter };
}
