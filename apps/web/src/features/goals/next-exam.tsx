import { type DatedGoal, dCount, nextExam } from '@mogakgong/contract';
import { Link } from 'wouter';
import { planTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';

/** The days until the next exam, if there is one, and the way to the plan. */
export function NextExam({ goal }: { readonly goal: DatedGoal }) {
  const { t } = useTranslation(planTexts);
  const next = nextExam(goal.exams, goal.day);
  return (
    <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-small">
      {next && (
        <span className="min-w-0">
          <span className="text-ink-soft">{next.name}</span>{' '}
          <b className="whitespace-nowrap tabular-nums">{dCount(next.inDays)}</b>
        </span>
      )}
      <Link
        href={paths.plan}
        className="inline-flex min-h-9 items-center text-caption text-ink-soft underline hover:text-ink max-lg:min-h-11"
      >
        {t('goal.plan')}
      </Link>
    </p>
  );
}
