import {
  type Group,
  groupLevel,
  groupWeekMs,
  MINUTE_MS,
  memberWeekMs,
  type UserId,
} from '@mogakgong/contract';
import { useSecond } from '../../shared/clock/index.ts';
import { durationText } from '../../shared/i18n/duration-text.ts';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Panel } from '../../shared/ui/panel.tsx';
import { ShareRing } from '../../shared/ui/share-ring.tsx';

interface GoalPanelProps {
  readonly userId: UserId;
  readonly group: Group;
}

/** The week of all members together, its goal if there is one, and the group's level. */
export function GoalPanel({ userId, group }: GoalPanelProps) {
  const { t } = useTranslation(groupsTexts);
  const own = group.people.find((member) => member.userId === userId);
  const weekMinutes = useSecond((nowMs) => wholeMinutes(groupWeekMs(group, nowMs)));
  const ownMinutes = useSecond((nowMs) => wholeMinutes(own ? memberWeekMs(own, group, nowMs) : 0));
  const { weekGoalMinutes, totalMs } = group;
  const share = weekGoalMinutes === null ? null : Math.min(1, weekMinutes / weekGoalMinutes);
  const week = durationText(t, weekMinutes * MINUTE_MS);
  const { level, fromMs, nextFromMs } = groupLevel(totalMs);
  const levelShare = (totalMs - fromMs) / (nextFromMs - fromMs);
  return (
    <Panel title={t('goal.title')}>
      <div className="flex items-center gap-5">
        {share !== null && (
          <ShareRing
            share={share}
            label={t('goal.percent', { percent: Math.floor(share * 100) })}
            size={84}
            isNumbered
          />
        )}
        <dl className="grid gap-0.5">
          <dt className="text-ink-soft text-small">{t('goal.together')}</dt>
          <dd className="font-bold text-title tabular-nums">{week}</dd>
          {weekGoalMinutes !== null && (
            <dd className="text-ink-soft text-small tabular-nums">
              {t('goal.of', { goal: durationText(t, weekGoalMinutes * MINUTE_MS) })}
            </dd>
          )}
          <dd className="text-ink-soft text-small tabular-nums">
            {t('goal.own', { time: durationText(t, ownMinutes * MINUTE_MS) })}
          </dd>
        </dl>
      </div>
      <div className="grid gap-1.5">
        <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-small">
          <span className="font-semibold">{t('goal.level', { level })}</span>
          <span className="text-caption text-ink-soft tabular-nums">
            {t('goal.next', { time: durationText(t, nextFromMs - totalMs) })}
          </span>
        </p>
        <div aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-raised">
          <div
            className="h-full rounded-full bg-lamp forced-color-adjust-none"
            style={{ width: `${100 * levelShare}%` }}
          />
        </div>
      </div>
    </Panel>
  );
}

const wholeMinutes = (ms: number) => Math.floor(ms / MINUTE_MS);
