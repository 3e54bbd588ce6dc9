import type { NextGroupSession, OwnGroup, UserId } from '@mogakgong/contract';
import { useSecond } from '../../shared/clock/index.ts';
import { dateFormat } from '../../shared/i18n/date-format.ts';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { useConfirmedToday } from '../../shared/today/today.ts';
import { ComingButton, dayIn, NowMark, useDayName } from './session-day.tsx';

interface NextSessionOnCardProps {
  readonly userId: UserId;
  readonly group: Pick<OwnGroup, 'groupId' | 'name'>;
  readonly session: NextGroupSession;
}

/** The next session of a group below its card, in the learner's zone, and the learner's answer. */
export function NextSessionOnCard({ userId, group, session }: NextSessionOnCardProps) {
  const { t } = useTranslation(groupsTexts);
  const { startsAtMs, endsAtMs, coming, isComing } = session;
  const isRunning = useSecond((nowMs) => startsAtMs <= nowMs);
  const timeZone = useConfirmedToday(userId)?.timeZone;
  const day = dayIn(timeZone, startsAtMs);
  const time = dateFormat('en-GB', { timeZone, timeStyle: 'short' });
  const isOvernight = dayIn(timeZone, endsAtMs) !== day;
  const window = { from: time.format(startsAtMs), until: time.format(endsAtMs) };
  const dayName = useDayName(day, timeZone);
  const span = t(isOvernight ? 'window.overnight' : 'window.sameDay', window);
  return (
    <div className="mx-4 flex items-center justify-between gap-3 *:last:shrink-0 border-line border-t py-2.5">
      <p className="grid min-w-0 text-small tabular-nums">
        <span className="flex flex-wrap items-center gap-x-1.5 font-semibold">
          <span>{dayName}</span> <span>{span}</span>
          {isRunning && <NowMark />}
        </span>
        <span className="text-caption text-ink-soft">
          {coming === 0 ? t('sessions.comingNone') : t('sessions.coming', { count: coming })}
        </span>
      </p>
      <ComingButton
        {...{ userId, session, isComing }}
        groupId={group.groupId}
        when={`${group.name}, ${dayName} ${span}`}
      />
    </div>
  );
}
