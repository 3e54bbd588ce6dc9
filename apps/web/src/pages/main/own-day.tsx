import {
  type DatedGoal,
  dCount,
  goalShare,
  MINUTE_MS,
  nextExam,
  type Today,
  type UserId,
  type Visit,
} from '@mogakgong/contract';
import { type ReactNode, useId } from 'react';
import { Link } from 'wouter';
import { useGoal } from '../../features/goals/use-goal.ts';
import { useStatistics } from '../../features/statistics/use-statistics.ts';
import type { VisitPage } from '../../features/statistics/use-visits.ts';
import type { Loaded } from '../../shared/api/index.ts';
import { dateFormat } from '../../shared/i18n/date-format.ts';
import { durationText } from '../../shared/i18n/duration-text.ts';
import { studyTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { useToday, useTodaySeconds } from '../../shared/today/today.ts';
import { Lamp } from '../../shared/ui/lamp.tsx';
import { RetryButton } from '../../shared/ui/load-state.tsx';
import { ShareRing } from '../../shared/ui/share-ring.tsx';

interface OwnDayProps {
  readonly userId: UserId;
  readonly visits: Loaded<VisitPage>;
  /** The learner sits in a room, here or on another device. */
  readonly isSeated: boolean;
}

/** The learner's day: today, days in a row, the goal, and the last or current visit. */
export function OwnDay({ userId, visits, isSeated }: OwnDayProps) {
  const { t } = useTranslation(studyTexts);
  const id = useId();
  const today = useToday(userId);
  const statistics = useStatistics(userId);
  const goal = useGoal(userId);
  const needed = [today, statistics, goal, visits];
  const failed = needed.filter(({ error }) => error !== null);
  const visit = visits.value?.visits[0];
  const isFirst = visits.value !== null && visit === undefined;
  const exam = goal.value && nextExam(goal.value.exams, goal.value.day);
  return (
    <section
      aria-labelledby={id}
      // Reserves the height of the loaded content, so that the button stays in place. A goodbye has all of
      // this itself.
      className="mt-5 grid min-h-23 content-start gap-3 in-[[data-goodbye]~*]:hidden"
    >
      <h2 id={id} className="sr-only">
        {t('day.heading')}
      </h2>
      {failed.length > 0 ? (
        <div role="alert" className="flex flex-wrap items-center gap-3 text-small">
          <p>{t('day.failed')}</p>
          <RetryButton of={failed} />
        </div>
      ) : isFirst ? (
        <div className="flex min-h-23 max-w-[26rem] items-center gap-4 rounded-medium bg-raised px-5 py-2.5">
          <Lamp light="low" size={40} />
          <p className="text-ink-soft text-small">{t('day.first')}</p>
        </div>
      ) : (
        today.value &&
        statistics.value &&
        goal.value && (
          <>
            <dl className="flex flex-wrap gap-x-9 gap-y-4">
              <Figure name={t('day.today')}>
                <TodayFocus userId={userId} />
              </Figure>
              <Figure name={t('day.streak')}>
                {t('day.days', { count: statistics.value.continueAttendanceDays })}
              </Figure>
              <Figure name={t('day.goal')}>
                <Link
                  href={paths.plan}
                  className="rounded-small underline decoration-ink-soft/60 underline-offset-4 hover:decoration-current"
                >
                  <Goal userId={userId} goal={goal.value} />
                </Link>
              </Figure>
              {goal.value.tasks.length > 0 && (
                <Figure name={t('day.tasks')}>
                  {t('day.tasksDone', {
                    done: goal.value.tasks.filter((task) => task.isDone).length,
                    all: goal.value.tasks.length,
                  })}
                </Figure>
              )}
              {exam && <Figure name={exam.name}>{dCount(exam.inDays)}</Figure>}
            </dl>
            <p className="flex flex-wrap gap-x-4 text-caption text-ink-soft">
              {visit && (isSeated || visit.endedAtMs !== null) && (
                <LatestVisit visit={visit} today={today.value} />
              )}
              <Link href={paths.plan} className="underline hover:text-ink">
                {t('day.plan')}
              </Link>
            </p>
          </>
        )
      )}
    </section>
  );
}

function Figure({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="grid content-start gap-1">
      <dt className="text-caption text-ink-soft">{name}</dt>
      <dd className="flex min-h-7 items-center font-bold text-title tabular-nums leading-none">
        {children}
      </dd>
    </div>
  );
}

function TodayFocus({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation();
  return durationText(t, (useTodaySeconds(userId) ?? 0) * 1_000);
}

function Goal({ userId, goal }: { readonly userId: UserId; readonly goal: DatedGoal }) {
  const { t } = useTranslation(studyTexts);
  const todaySeconds = useTodaySeconds(userId) ?? 0;
  const { targetMinutes } = goal;
  if (targetMinutes === null) {
    return <span className="font-normal text-ink-soft text-small">{t('day.noGoal')}</span>;
  }
  const share = goalShare(targetMinutes, todaySeconds * 1_000);
  const target = durationText(t, targetMinutes * MINUTE_MS);
  const label = t('day.progress', { target, percent: Math.floor(share * 100) });
  return (
    <span className="flex items-center gap-2">
      <ShareRing share={share} label={label} size={28} />
      {share < 1 ? target : <span className="text-small">{t('day.goalReached')}</span>}
    </span>
  );
}

function LatestVisit({ visit, today }: { readonly visit: Visit; readonly today: Today }) {
  const { t, language } = useTranslation(studyTexts);
  const { timeZone } = today;
  const format = dateFormat(language, {
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  });
  const when = format.format(visit.beganAtMs);
  const text = () => {
    if (visit.endedAtMs === null) return t('day.thisVisit', { when });
    if (visit.focusMs < MINUTE_MS) return t('day.lastVisit', { when });
    return t('day.lastVisitFocus', { when, focus: durationText(t, visit.focusMs) });
  };
  return <span>{text()}</span>;
}
