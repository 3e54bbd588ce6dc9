import { dCount, GROUPS, type GroupCard } from '@mogakgong/contract';
import { Users } from 'lucide-react';
import CalendarDays from 'lucide-react/icons/calendar-days';
import type { ReactNode } from 'react';
import { useSecond } from '../../shared/clock/index.ts';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { CategoryChip } from '../../shared/ui/category-chip.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { NewsDot } from '../../shared/ui/news-dot.tsx';
import { StatusDot } from '../../shared/ui/status-dot.tsx';
import { daysUntilExam, ruleText } from './rule-text.ts';

interface GroupSummaryProps {
  readonly group: GroupCard;
  /** False where the name stands above it. */
  readonly isNamed?: boolean;
  /** Marked as one of the learner's own, among others. */
  readonly isOwn?: boolean;
}

/** Nobody more can join. */
export const isFull = (group: GroupCard) => group.members >= GROUPS.membersMax;

/** A group in a few lines: its name, how many focus now, its goal, kind, rule and members. */
export function GroupSummary({ group, isNamed = true, isOwn = false }: GroupSummaryProps) {
  const { t } = useTranslation(groupsTexts);
  return (
    <>
      <span className="flex items-baseline justify-between gap-x-3">
        {isNamed && (
          <span className="min-w-0 font-semibold">
            {group.name}
            {isOwn && (
              <span className="ml-1.5 inline-block rounded-small bg-lamp-wash px-1.5 font-normal text-caption text-lamp-ink">
                {t('groups.own')}
              </span>
            )}
          </span>
        )}
        <Focusing count={group.focusing} />
      </span>
      {group.goal && <span className="text-ink-soft text-small">{group.goal}</span>}
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-caption text-ink-soft">
        <CategoryChip category={group.category} />
        <ExamDay group={group} />
        <span className="inline-flex items-center gap-1">
          <CalendarDays size={14} aria-hidden="true" />
          {ruleText(t, group.rule)}
        </span>
        <span className="inline-flex items-center gap-1 tabular-nums">
          <Users size={14} aria-hidden="true" />
          {t('card.members', { count: group.members, max: GROUPS.membersMax })}
        </span>
        {isFull(group) ? (
          <span>{t('card.full')}</span>
        ) : (
          group.needsApproval && <span>{t('card.approval')}</span>
        )}
      </span>
    </>
  );
}

/** How many members focus now. */
export function Focusing({ count }: { readonly count: number }) {
  const { t } = useTranslation(groupsTexts);
  return (
    <span
      className={classNames(
        'inline-flex shrink-0 items-center gap-1.5 whitespace-nowrap text-small',
        count > 0 ? 'font-semibold text-focus' : 'text-ink-soft',
      )}
    >
      <StatusDot status={count > 0 ? 'focus' : 'idle'} />
      {count > 0 ? t('card.focusing', { count }) : t('card.quiet')}
    </span>
  );
}

/** The days until the group's exam: nothing without one. */
export function ExamDay({ group }: { readonly group: GroupCard }) {
  const { t } = useTranslation(groupsTexts);
  const days = useSecond((nowMs) => daysUntilExam(group, nowMs));
  if (days === null) return null;
  return (
    <span className="font-bold text-lamp-ink tabular-nums">
      <span aria-hidden="true">{dCount(days)}</span>
      <span className="sr-only">
        {days === 0 ? t('exam.today') : t('exam.days', { count: days })}
      </span>
    </span>
  );
}

/** News of a group: requests to join, a nudge. */
export function News({ children }: { readonly children: ReactNode }) {
  return (
    <span className="flex items-center gap-2 font-semibold text-caption text-lamp-ink">
      <NewsDot className="shrink-0" />
      <span className="wrap-anywhere min-w-0">{children}</span>
    </span>
  );
}
