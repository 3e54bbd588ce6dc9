import {
  type Group,
  type GroupMember,
  type MemberState,
  memberTodayMs,
  memberWeekMs,
} from '@mogakgong/contract';
import Pointer from 'lucide-react/icons/pointer';
import type { ReactNode } from 'react';
import { useSecond } from '../../shared/clock/index.ts';
import { durationText } from '../../shared/i18n/duration-text.ts';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { IconButton } from '../../shared/ui/button.tsx';
import { StatusDot } from '../../shared/ui/status-dot.tsx';

const DOTS = { focus: 'focus', pause: 'pause', away: 'away', absent: 'idle' } as const;

interface MemberRowProps {
  readonly group: Group;
  readonly member: GroupMember;
  readonly isOwn: boolean;
  /** The place by the week's focus; null where the group has no ranks. */
  readonly rank: number | null;
  readonly onNudge: () => void;
  /** The learner's actions on this member; none for the own row. */
  readonly menu: ReactNode;
}

/** A member: the live state, today and the week. */
export function MemberRow({ group, member, isOwn, rank, onNudge, menu }: MemberRowProps) {
  const { t } = useTranslation(groupsTexts);
  const { nickname: name } = member;
  return (
    // A narrow window has the times below the name.
    <li className="flex min-h-16 flex-wrap items-center gap-x-3 py-2 sm:flex-nowrap">
      {rank !== null && (
        <span className="w-6 shrink-0 text-center font-bold text-ink-soft text-small tabular-nums">
          <span aria-hidden="true">{rank}</span>
          <span className="sr-only">{t('members.rank', { rank })}</span>
        </span>
      )}
      <Avatar name={name} image={member.profileImage} size={40} />
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="flex flex-wrap items-center gap-x-1.5">
          <span className="wrap-anywhere min-w-0 font-semibold [word-break:normal]">{name}</span>
          {isOwn && <span className="text-ink-soft text-small">{t('members.own')}</span>}
          {member.isLeader && (
            <span className="rounded-small bg-lamp-wash px-1.5 text-caption text-lamp-ink">
              {t('members.leader')}
            </span>
          )}
        </p>
        <State state={member.state} isInRoom={member.isInRoom} />
      </div>
      <div className="-mr-2 flex shrink-0 items-center max-sm:empty:hidden sm:order-last sm:w-22 sm:justify-end">
        {member.canBeNudged && (
          <IconButton
            icon={Pointer}
            label={t('members.nudge', { name })}
            title={t('members.nudge', { name })}
            onClick={onNudge}
          />
        )}
        {menu}
      </div>
      <Times group={group} member={member} />
    </li>
  );
}

interface StateProps {
  readonly state: MemberState;
  readonly isInRoom: boolean;
}

function State({ state, isInRoom }: StateProps) {
  const { t } = useTranslation(groupsTexts);
  return (
    <p className="flex flex-wrap items-center gap-x-1.5 text-caption text-ink-soft">
      <StatusDot status={DOTS[state]} />
      <span className={state === 'focus' ? 'font-semibold text-focus' : undefined}>
        {state === 'absent' ? t('members.absent') : t(`status.${state}`)}
      </span>
      {isInRoom && <span>{t('members.inRoom')}</span>}
    </p>
  );
}

/** Focus of today and of the week, which run while the member focuses. */
function Times({ group, member }: Pick<MemberRowProps, 'group' | 'member'>) {
  const { t } = useTranslation(groupsTexts);
  const today = useSecond((nowMs) => durationText(t, memberTodayMs(member, group, nowMs)));
  const week = useSecond((nowMs) => durationText(t, memberWeekMs(member, group, nowMs)));
  // A label stays with its time.
  const time = 'flex items-baseline gap-x-1.5 whitespace-nowrap sm:block';
  return (
    <dl className="flex basis-full flex-wrap gap-x-4 pl-13 text-caption tabular-nums sm:w-52 sm:shrink-0 sm:basis-auto sm:flex-nowrap sm:justify-end sm:pl-0 sm:text-right sm:text-small">
      <div className={time}>
        <dt className="text-caption text-ink-soft">{t('members.today')}</dt>
        <dd className="font-semibold">{today}</dd>
      </div>
      <div className={`${time} sm:w-28`}>
        <dt className="text-caption text-ink-soft">{t('members.week')}</dt>
        <dd className="text-ink-soft">{week}</dd>
      </div>
    </dl>
  );
}
