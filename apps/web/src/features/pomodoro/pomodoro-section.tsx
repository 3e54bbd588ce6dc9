import {
  deletePomodoro,
  type PomodoroLengths,
  type PomodoroSchedule,
  putPomodoro,
} from '@mogakgong/contract';
import { useRef, useState } from 'react';
import { call, messageOf } from '../../shared/api/index.ts';
import { focusTexts } from '../../shared/i18n/focus-texts.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { useKeptFocus } from '../../shared/ui/use-kept-focus.ts';
import { follow, type RoomScheduleProps } from './following.ts';
import { FollowingFields } from './following-fields.tsx';
import { LengthChoice } from './length-choice.tsx';
import { usePhase } from './pomodoro-chip.tsx';
import { unlockTone } from './tone.ts';

/** The schedule of the room: starting one, following it or not, stopping it. */
export function PomodoroSection({ userId, roomId, schedule }: RoomScheduleProps) {
  const { t } = useTranslation(focusTexts);
  const [isBusy, setIsBusy] = useState(false);
  const ref = useRef<HTMLElement>(null);
  useKeptFocus(ref, () => ref.current?.querySelector<HTMLElement>('input, button')?.focus());
  const failure = t('pomodoro.failed');
  const run = (work: () => Promise<unknown>) => {
    if (isBusy) return;
    setIsBusy(true);
    work()
      .catch((error: unknown) => notify.toast(messageOf(error, failure), 'bad'))
      .finally(() => setIsBusy(false));
  };
  const start = (lengths: PomodoroLengths) => {
    // Browsers allow sound only while they handle a press of the learner.
    void unlockTone();
    run(async () => {
      await call(putPomodoro, { params: { roomId }, body: lengths }, { fallback: failure });
      follow(userId, roomId, true);
    });
  };
  const stop = async () => {
    const isSure = await notify.dialog({
      title: t('pomodoro.stopAsk'),
      text: t('pomodoro.stopNote'),
      confirmLabel: t('pomodoro.stop'),
      cancelLabel: t('common.cancel'),
    });
    if (isSure) run(() => call(deletePomodoro, { params: { roomId } }, { fallback: failure }));
  };
  return (
    <section ref={ref} aria-label={t('pomodoro.title')} className="grid gap-3">
      <h3 className="font-bold text-small">{t('pomodoro.title')}</h3>
      {schedule === null ? (
        <>
          <p className="text-caption text-ink-soft">{t('pomodoro.lead')}</p>
          <LengthChoice isBusy={isBusy} onChoose={start} />
        </>
      ) : (
        <>
          <Phase schedule={schedule} />
          <FollowingFields userId={userId} roomId={roomId} />
          <div>
            <Button size="small" loading={isBusy} onClick={() => void stop()}>
              {t('pomodoro.stop')}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

function Phase({ schedule }: { readonly schedule: PomodoroSchedule }) {
  const { t } = useTranslation(focusTexts);
  const { kind, round, left } = usePhase(schedule);
  const { focusMinutes, breakMinutes } = schedule;
  return (
    <div className="rounded-medium bg-lamp-wash px-4 py-3">
      <p className="font-semibold text-lamp-ink text-small">
        {t(`pomodoro.phase.${kind}`, { round })}
      </p>
      <p className="font-bold text-title">
        <span role="timer">{t('pomodoro.left', { time: left })}</span>
      </p>
      <p className="text-caption text-ink-soft">
        {t('pomodoro.preset', { focus: focusMinutes, break: breakMinutes })}
      </p>
    </div>
  );
}
