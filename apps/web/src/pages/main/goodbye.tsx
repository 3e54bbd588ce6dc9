import { getLookBack, type LookBack, type OwnTitle, type UserId } from '@mogakgong/contract';
import { Fragment, useEffect, useId, useRef } from 'react';
import { Link } from 'wouter';
import { TaskTick, ticked } from '../../features/goals/task-tick.tsx';
import { useGoal } from '../../features/goals/use-goal.ts';
import { TitleProgressBar } from '../../features/titles/title-card.tsx';
import { TitlePlate } from '../../features/titles/title-plate.tsx';
import { useCurrentRoom } from '../../room/live/current-room.ts';
import { call } from '../../shared/api/index.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { durationText } from '../../shared/i18n/duration-text.ts';
import { studyTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { useConfirmedToday, useTodaySeconds } from '../../shared/today/today.ts';
import { CloseButton } from '../../shared/ui/close-button.tsx';
import { focusPageHeading } from '../../shared/ui/page-heading.ts';

/** A visit with less focus has no summary. */
const SUMMARY_MIN_MS = 60_000;

interface GoodbyeProps {
  readonly userId: UserId;
  /** When the learner left. */
  readonly leftAtMs: number;
}

/** The summary of the visit that just ended, and next steps; nothing after a short visit. */
export function Goodbye({ userId, leftAtMs }: GoodbyeProps) {
  const { value } = useLoaded(['look-back', userId, leftAtMs], (signal) =>
    call(getLookBack, {}, { signal }),
  );
  const visit = value?.visit;
  if (!visit || visit.focusMs < SUMMARY_MIN_MS) return null;
  return <LookedBack userId={userId} {...visit} {...value} />;
}

interface LookedBackProps
  extends Pick<LookBack, 'streakDays' | 'nextTitle'>,
    Pick<NonNullable<LookBack['visit']>, 'focusMs' | 'endedAtMs'> {
  readonly userId: UserId;
}

function LookedBack(props: LookedBackProps) {
  const { userId, focusMs, endedAtMs, streakDays, nextTitle } = props;
  const { t } = useTranslation(studyTexts);
  const id = useId();
  const todaySeconds = useTodaySeconds(userId) ?? 0;
  const today = useConfirmedToday(userId);
  // Today's data may be older than the visit, and a part of the visit may be yesterday's.
  const visitTodayMs = Math.min(focusMs, endedAtMs - (today?.dayStartsAtMs ?? 0));
  const goal = useGoal(userId);
  const tasks = goal.value?.tasks ?? [];
  const headingRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const { activeElement, body } = document;
    // A focus that the learner has moved meanwhile stays.
    if (activeElement === body || activeElement?.matches('h1')) headingRef.current?.focus();
    // The close button disappears with the focus on it.
    return focusPageHeading;
  }, []);
  const todayMs = Math.max(todaySeconds * 1_000, visitTodayMs);
  const targetMinutes = goal.value?.targetMinutes ?? null;
  const facts = [
    t('goodbye.focus', { time: durationText(t, focusMs) }),
    t('goodbye.today', { time: durationText(t, todayMs) }),
    targetMinutes !== null && todayMs >= targetMinutes * 60_000 && t('goodbye.goalReached'),
    streakDays > 0 && t('goodbye.streak', { count: streakDays }),
  ].filter((fact) => fact !== false);
  return (
    <section aria-labelledby={id} data-goodbye className="border-line border-b bg-lamp-wash">
      <div className="relative mx-auto grid w-full max-w-[84rem] items-center gap-x-12 gap-y-4 px-4 py-5 sm:px-6 lg:auto-cols-fr lg:grid-flow-col lg:pr-20">
        <div className="grid gap-1 max-lg:pr-10">
          <h2 ref={headingRef} id={id} tabIndex={-1} className="w-fit font-bold text-lead">
            {t('goodbye.title')}
          </h2>
          <p role="status" className="tabular-nums">
            {facts.map((fact, index) => (
              <Fragment key={fact}>
                {index > 0 && ' · '}
                <span className="whitespace-nowrap">{fact}</span>
              </Fragment>
            ))}
          </p>
          <Link href={paths.statistics} className="w-fit text-small underline hover:text-ink-soft">
            {t('goodbye.record')}
          </Link>
        </div>
        {tasks.length > 0 && (
          <ul aria-label={t('goodbye.tasks')} className="grid gap-0.5">
            {tasks.map((task, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: tasks have no other name, and two may be the same
              <li key={index}>
                <TaskTick
                  task={task}
                  onTick={(isDone) => goal.change({ tasks: ticked(tasks, index, isDone) })}
                />
              </li>
            ))}
          </ul>
        )}
        {nextTitle && <NextTitle title={nextTitle} />}
        <div className="absolute top-3 right-2 sm:right-4">
          <CloseButton onClick={() => useCurrentRoom.setState({ left: null })} />
        </div>
      </div>
    </section>
  );
}

function NextTitle({ title }: { readonly title: OwnTitle }) {
  const { t } = useTranslation(studyTexts);
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] content-start items-center gap-x-3">
      <TitlePlate icon={title.icon} isLit={false} />
      <div>
        <p className="text-small">{t('goodbye.nextTitle', { name: title.name })}</p>
        <TitleProgressBar progress={title.progress} name={title.name} />
      </div>
    </div>
  );
}
