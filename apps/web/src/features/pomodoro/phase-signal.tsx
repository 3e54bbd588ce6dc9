import { type PomodoroPhase, type PomodoroSchedule, pomodoroPhase } from '@mogakgong/contract';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useSecond } from '../../shared/clock/index.ts';
import { roomTexts } from '../../shared/i18n/namespaces.ts';

import { useTranslation } from '../../shared/i18n/texts.ts';
import { notify } from '../../shared/ui/notify.ts';
import { useTitlePart } from '../../shared/ui/page-title.ts';
import { type RoomScheduleProps, useFollows } from './following.ts';
import { showNotification } from './notifications.ts';
import { type SignalSettings, useSignals } from './signals.ts';
import { playTone, unlockTone } from './tone.ts';

/** How long the page's title signals after the page is visible. */
const CALL_MS = 12_000;
/** Later signals are dropped: the computer slept. A hidden page, which ticks once a minute, is in time. */
const SIGNAL_MAX_DELAY_MS = 90_000;

/** Signals the end of a phase to followers: a sound, the page's title, a toast and a notification. */
export function PhaseSignal(props: RoomScheduleProps) {
  const { userId, schedule } = props;
  const follows = useFollows(schedule);
  const settings = useSignals(userId);
  useUnlockedTone(follows && settings.hasSound);
  if (!follows || schedule === null) return null;
  return <Signal key={schedule.startedAtMs} schedule={schedule} settings={settings} />;
}

interface SignalProps {
  readonly schedule: PomodoroSchedule;
  readonly settings: SignalSettings;
}

function Signal({ schedule, settings }: SignalProps) {
  const { t } = useTranslation(roomTexts);
  const [call, setCall] = useState('');
  const nowMs = useSecond((second) => second);
  const checkedAtRef = useRef(nowMs);
  const toastRef = useRef(0);
  useTitlePart('call', call);
  useCallEnd(call, () => setCall(''));

  useEffect(() => {
    const ended = endedPhase(schedule, checkedAtRef.current, nowMs);
    checkedAtRef.current = nowMs;
    if (ended === null) return;
    if (settings.hasSound) playTone();
    const text = t(`pomodoro.over.${ended.kind}`, { minutes: schedule.breakMinutes });
    // A toast held by the pointer would still report the previous phase.
    notify.dismissToast(toastRef.current);
    toastRef.current = notify.toast(text, 'good');
    setCall(t(`pomodoro.sign.${ended.kind}`));
    if (settings.notifies && document.visibilityState === 'hidden') void showNotification(text);
  }, [schedule, nowMs, t, settings]);
  return null;
}

/** The phase that ended between two moments of the server's clock, unless that is too long ago. */
export function endedPhase(
  schedule: PomodoroSchedule,
  beforeMs: number,
  nowMs: number,
): PomodoroPhase | null {
  const phase = pomodoroPhase(schedule, beforeMs);
  const sinceEndMs = nowMs - phase.endsAtMs;
  return sinceEndMs >= 0 && sinceEndMs <= SIGNAL_MAX_DELAY_MS ? phase : null;
}

/** Ends the signal in the title some seconds after the learner can see it. */
function useCallEnd(call: string, end: () => void): void {
  const onEnd = useEffectEvent(end);
  useEffect(() => {
    if (call === '') return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const endSoon = () => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible') timer = setTimeout(onEnd, CALL_MS);
    };
    endSoon();
    document.addEventListener('visibilitychange', endSoon);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', endSoon);
    };
  }, [call]);
}

/** After a reload the next press anywhere unlocks the sound again. */
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
