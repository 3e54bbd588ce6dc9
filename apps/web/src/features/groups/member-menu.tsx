import {
  type GroupId,
  type GroupMember,
  putGroupLeader,
  removeMember,
  type UserId,
} from '@mogakgong/contract';
import { ShieldCheck } from 'lucide-react';
import Ban from 'lucide-react/icons/ban';
import Ellipsis from 'lucide-react/icons/ellipsis';
import UserMinus from 'lucide-react/icons/user-minus';
import UserPlus from 'lucide-react/icons/user-plus';
import { call } from '../../shared/api/index.ts';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import type { Person } from '../../shared/lib/person.ts';
import { confirmed } from '../../shared/ui/confirmed.ts';
import { Menu } from '../../shared/ui/menu.tsx';
import type { MenuEntry } from '../../shared/ui/menu-list.tsx';
import { useGroupChange } from './use-groups.ts';

interface MemberMenuProps {
  readonly userId: UserId;
  readonly groupId: GroupId;
  readonly member: GroupMember;
  /** The learner leads the group. */
  readonly isLeader: boolean;
  readonly onBlock: (person: Person) => void;
}

/** The actions on another member: a block, and those of leaders. */
export function MemberMenu({ userId, groupId, member, isLeader, onBlock }: MemberMenuProps) {
  const { t } = useTranslation(groupsTexts);
  const leading = useLeading(userId, groupId, member);
  const { nickname: name } = member;
  const entries: MenuEntry[] = [
    ...(isLeader ? leading : []),
    {
      key: 'block',
      label: t('block.block'),
      icon: Ban,
      onSelect: () => onBlock({ userId: member.userId, name }),
    },
  ];
  return (
    <Menu
      label={t('members.menu', { name })}
      triggerClassName="grid size-11 place-items-center rounded-full text-ink-soft hover:bg-raised hover:text-ink"
      trigger={<Ellipsis size={20} aria-hidden="true" />}
      entries={entries}
    />
  );
}

/** A leader's actions on this member, after a question. */
function useLeading(
  userId: UserId,
  groupId: GroupId,
  { userId: memberId, nickname: name, isLeader }: GroupMember,
): MenuEntry[] {
  const { t } = useTranslation(groupsTexts);
  const { change } = useGroupChange(userId);
  const params = { groupId, memberId };
  const ask = async (
    what: 'promote' | 'handOver' | 'remove',
    work: () => Promise<unknown>,
  ): Promise<void> => {
    const isSure = await confirmed(
      t(`members.${what}Ask`, { name }),
      t(`members.${what}Text`),
      t(`members.${what}`),
    );
    if (isSure) await change(work, t(`members.${what}Done`, { name }));
  };
  const lead = (handsOver: boolean) =>
    call(putGroupLeader, { params, body: { isLeader: true, handsOver } });
  const entries: readonly (MenuEntry | null)[] = [
    isLeader
      ? null
      : {
          key: 'promote',
          label: t('members.promote'),
          icon: UserPlus,
          onSelect: () => void ask('promote', () => lead(false)),
        },
    {
      key: 'handOver',
      label: t('members.handOver'),
      icon: ShieldCheck,
      onSelect: () => void ask('handOver', () => lead(true)),
    },
    isLeader
      ? null
      : {
          key: 'remove',
          label: t('members.remove'),
          icon: UserMinus,
          onSelect: () => void ask('remove', () => call(removeMember, { params })),
        },
  ];
  return entries.filter((entry) => entry !== null);
}
