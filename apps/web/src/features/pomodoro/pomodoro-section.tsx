import {
  deletePomodoro,
  getPomodoro,
  type PomodoroLengths,
  type PomodoroSchedule,
  putPomodoro,
  type UserId,
} from '@mogakgong/contract';
import { useRef, useState } from 'react';
import { call } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { roomTexts } from '../../shared/i18n/namespaces.ts';

import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { confirmed } from '../../shared/ui/confirmed.ts';
import { useKeptFocus } from '../../shared/ui/use-kept-focus.ts';
import { follow, type RoomScheduleProps } from './following.ts';
import { FollowingFields } from './following-fields.tsx';
import { LengthChoice } from './length-choice.tsx';
import { usePhase } from './pomodoro-chip.tsx';
import { unlockTone } from './tone.ts';

interface PomodoroSectionProps extends RoomScheduleProps {
  readonly members: readonly { readonly userId: UserId }[] | null;
  readonly hostId: UserId | null;
}

/**
 * Whether the learner may end the schedule for everybody: the server knows its starter. Asked again when
 * members or the host change.
 */
function useMayEnd(props: PomodoroSectionProps): boolean | null {
  const { userId, roomId, schedule, members, hostId } = props;
  const seated = members?.map((member) => member.userId).sort((a, b) => a - b);
  const key = ['pomodoro', userId, roomId, schedule?.startedAtMs, hostId, seated];
  const { value } = useLoaded(
    key,
    (signal) => call(getPomodoro, { params: { roomId } }, { signal }),
    {
      enabled: schedule !== null,
      staleTime: 0,
      refetchOnWindowFocus: 'always',
      placeholderData: (before) => before,
    },
  );
  return value?.mayEnd ?? null;
}

/** The room's schedule: start, follow, end. */
export function PomodoroSection(props: PomodoroSectionProps) {
  const { userId, roomId, schedule } = props;
  const { t } = useTranslation(roomTexts);
  const mayEnd = useMayEnd(props);
  const [isBusy, setIsBusy] = useState(false);
  const ref = useRef<HTMLElement>(null);
  useKeptFocus(ref, () => ref.current?.querySelector<HTMLElement>('input, button')?.focus());
  const failure = t('pomodoro.failed');
  const run = (work: () => Promise<unknown>) => {
    if (isBusy) return;
    setIsBusy(true);
    work()
      .catch((error: unknown) => notifyFailure(error, failure))
      .finally(() => setIsBusy(false));
  };
  const start = (lengths: PomodoroLengths) => {
    // Browsers allow sound only while they handle a press of the learner.
    void unlockTone();
    run(async () => {
      const request = { params: { roomId }, body: lengths };
      const room = await call(putPomodoro, request, { fallback: failure });
      await follow({ userId, ...room });
    });
  };
  const stop = async () => {
    const isSure = await confirmed(
      t('pomodoro.stopAsk'),
      t('pomodoro.stopNote'),
      t('pomodoro.stop'),
    );
    if (!isSure) return;
    run(async () => {
      await call(deletePomodoro, { params: { roomId } }, { fallback: failure });
    });
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
          <FollowingFields {...{ userId, roomId, schedule }} />
          {mayEnd && (
            <div>
              <Button size="small" loading={isBusy} onClick={() => void stop()}>
                {t('pomodoro.stop')}
              </Button>
            </div>
          )}
          {mayEnd === false && (
            <p className="text-caption text-ink-soft">{t('pomodoro.stopOthers')}</p>
          )}
        </>
      )}
    </section>
  );
}

function Phase({ schedule }: { readonly schedule: PomodoroSchedule }) {
  const { t } = useTranslation(roomTexts);
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
