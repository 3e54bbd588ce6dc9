import {
  type Group,
  type GroupMember,
  memberWeekMs,
  nudgeMember,
  removeHiddenMembers,
  type UserId,
} from '@mogakgong/contract';
import { useState } from 'react';
import { call } from '../../shared/api/index.ts';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import type { Person } from '../../shared/lib/person.ts';
import { Button } from '../../shared/ui/button.tsx';
import { confirmed } from '../../shared/ui/confirmed.ts';
import { notify } from '../../shared/ui/notify.ts';
import { Panel } from '../../shared/ui/panel.tsx';
import { firstRows } from './first-rows.ts';
import { MemberMenu } from './member-menu.tsx';
import { MemberRow } from './member-row.tsx';
import { useGroupChange } from './use-groups.ts';

/** Members shown before a press on "show all". */
const FIRST_SHOWN = 10;
const STATES = ['focus', 'pause', 'away', 'absent'];

interface MembersPanelProps {
  readonly userId: UserId;
  readonly group: Group;
  readonly onBlock: (person: Person) => void;
}

/** The members now. By the week's focus if the group has ranks; else present ones first, by name. */
export function MembersPanel({ userId, group, onBlock }: MembersPanelProps) {
  const { t, language } = useTranslation(groupsTexts);
  const { change } = useGroupChange(userId);
  const [isWhole, setIsWhole] = useState(false);
  const { groupId, people, hasRanks, own } = group;
  const { compare } = new Intl.Collator(language);
  const ordered = people.toSorted(
    hasRanks
      ? (one, other) => weekOf(group, other) - weekOf(group, one)
      : (one, other) =>
          STATES.indexOf(one.state) - STATES.indexOf(other.state) ||
          compare(one.nickname, other.nickname),
  );
  const shown = isWhole ? ordered : firstRows(ordered, FIRST_SHOWN);
  const nudge = ({ userId: memberId, nickname: name }: GroupMember) =>
    change(
      () => call(nudgeMember, { params: { groupId, memberId } }),
      t('members.nudged', { name }),
    );
  return (
    <Panel
      title={t('members.title')}
      actions={
        <p className="text-ink-soft text-small tabular-nums">
          {t('members.count', { count: group.members })}
        </p>
      }
    >
      <ul className="divide-y divide-line">
        {shown.map((member, index) => (
          <MemberRow
            key={member.userId}
            {...{ group, member }}
            isOwn={member.userId === userId}
            rank={hasRanks ? index + 1 : null}
            onNudge={() => void nudge(member)}
            menu={
              member.userId !== userId && (
                <MemberMenu {...{ userId, groupId, member, onBlock }} isLeader={own.isLeader} />
              )
            }
          />
        ))}
      </ul>
      {shown.length < ordered.length && (
        <div>
          <Button size="small" onClick={() => setIsWhole(true)}>
            {t('members.all', { count: ordered.length })}
          </Button>
        </div>
      )}
      {group.hidden > 0 && <Hidden userId={userId} group={group} />}
    </Panel>
  );
}

const weekOf = (group: Group, member: GroupMember) =>
  memberWeekMs(member, group, group.serverNowMs);

/** Members hidden by a block: only their number is known, and a leader may remove those that do not lead. */
function Hidden({ userId, group }: Omit<MembersPanelProps, 'onBlock'>) {
  const { t } = useTranslation(groupsTexts);
  const { isBusy, change } = useGroupChange(userId);
  const { groupId, hidden, removable: count } = group;
  const remove = async () => {
    const isSure = await confirmed(
      t('members.removeHiddenAsk', { count }),
      t('members.removeText'),
      t('members.remove'),
    );
    if (!isSure) return;
    await change(async () => {
      const { removed } = await call(removeHiddenMembers, { params: { groupId } });
      notify.toast(t('members.removedHidden', { count: removed }), 'good');
    });
  };
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 text-ink-soft text-small">
      <p>{t('members.hidden', { count: hidden })}</p>
      {count > 0 && (
        <Button size="small" variant="quiet" loading={isBusy} onClick={() => void remove()}>
          {t('members.remove')}
        </Button>
      )}
    </div>
  );
}
