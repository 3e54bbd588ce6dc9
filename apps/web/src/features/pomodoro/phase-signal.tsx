import type { PomodoroPhase, PomodoroSchedule, RoomId, UserId } from '@mogakgong/contract';
import { useEffect, useRef, useState } from 'react';
import { useSecond } from '../../shared/clock/index.ts';
import { type FocusText, focusTexts } from '../../shared/i18n/focus-texts.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { notify } from '../../shared/ui/notify.ts';
import { usePageCall } from '../../shared/ui/page-title.ts';
import { useFollowing, type Ways } from './following.ts';
import { showNotification } from './notifications.ts';
import { PhaseEnds } from './phase-ends.ts';
import { playTone, unlockTone } from './tone.ts';

/** How long the title calls while the page is looked at. */
const CALL_MS = 12_000;

interface PhaseSignalProps {
  readonly userId: UserId;
  readonly roomId: RoomId;
  readonly schedule: PomodoroSchedule | null;
}

/** Tells who follows the schedule that a phase is over: sound, title, a line, and a notification. */
export function PhaseSignal({ userId, roomId, schedule }: PhaseSignalProps) {
  const following = useFollowing(userId, roomId);
  useUnlockedTone(following.follows && following.hasSound);
  return following.follows && schedule && <Signal schedule={schedule} ways={following} />;
}

interface SignalProps {
  readonly schedule: PomodoroSchedule;
  readonly ways: Ways;
}

function Signal({ schedule, ways }: SignalProps) {
  const { t } = useTranslation(focusTexts);
  const [call, setCall] = useState('');
  const ends = useRef(new PhaseEnds()).current;
  const second = useSecond((nowMs) => nowMs);
  usePageCall(call);
  useCallEnd(call, () => setCall(''));

  useEffect(() => {
    const ended = ends.endedPhase(schedule, second);
    if (ended === null) return;
    if (ways.hasSound) playTone();
    const line = lineOf(t, ended, schedule);
    notify.toast(line, 'good');
    setCall(t(`pomodoro.sign.${ended.kind}`));
    if (ways.notifies && document.visibilityState === 'hidden') showNotification(line);
  }, [ends, schedule, second, t, ways]);
  return null;
}

function lineOf(text: FocusText, { kind }: PomodoroPhase, schedule: PomodoroSchedule): string {
  return text(`pomodoro.over.${kind}`, { minutes: schedule.breakMinutes });
}

/** Ends the call some seconds after the learner can see it. */
function useCallEnd(call: string, end: () => void): void {
  const endRef = useRef(end);
  endRef.current = end;
  useEffect(() => {
    if (call === '') return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const endSoon = () => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible') {
        timer = setTimeout(() => endRef.current(), CALL_MS);
      }
    };
    endSoon();
    document.addEventListener('visibilitychange', endSoon);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', endSoon);
    };
  }, [call]);
}

/** After a reload the first press anywhere makes the sound possible again. */
function useUnlockedTone(isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return;
    const stop = new AbortController();
    const unlock = () => void unlockTone();
    document.addEventListener('pointerdown', unlock, { signal: stop.signal });
    document.addEventListener('keydown', unlock, { signal: stop.signal });
    return () => stop.abort();
  }, [isWanted]);
}
