import type { FriendCard, UserId } from '@mogakgong/contract';
import Ban from 'lucide-react/icons/ban';
import Ellipsis from 'lucide-react/icons/ellipsis';
import UserMinus from 'lucide-react/icons/user-minus';
import { studyTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { LinkButton } from '../../shared/ui/button.tsx';
import { Lamp } from '../../shared/ui/lamp.tsx';
import { Menu } from '../../shared/ui/menu.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { Panel } from '../../shared/ui/panel.tsx';
import { FriendRow } from './friend-row.tsx';

import { useChangeFriends } from './use-friends.ts';

interface FriendListProps {
  readonly userId: UserId;
  readonly friends: readonly FriendCard[];
  readonly onBlock: (friend: FriendCard) => void;
}

/** The learner's friends, by name. */
export function FriendList({ userId, friends, onBlock }: FriendListProps) {
  const { t, language } = useTranslation(studyTexts);
  const { remove } = useChangeFriends(userId);
  const { compare } = new Intl.Collator(language);
  const end = async (friend: FriendCard) => {
    const { nickname: name } = friend;
    const isSure = await notify.dialog({
      title: t('friends.endAsk', { name }),
      text: t('friends.endText'),
      confirmLabel: t('friends.end'),
      cancelLabel: t('common.cancel'),
    });
    if (isSure) remove(friend, t('friends.ended', { name }));
  };
  if (friends.length === 0) return <NoFriends />;
  return (
    <Panel
      title={t('friends.list')}
      actions={
        <p className="text-ink-soft text-small tabular-nums">
          {t('friends.count', { count: friends.length })}
        </p>
      }
    >
      <ul className="divide-y divide-line">
        {friends
          .toSorted((one, other) => compare(one.nickname, other.nickname))
          .map((friend) => (
            <FriendRow key={friend.userId} person={friend}>
              <Menu
                label={t('friends.menu', { name: friend.nickname })}
                triggerClassName="-mr-3 grid size-11 place-items-center rounded-full text-ink-soft hover:bg-raised hover:text-ink"
                trigger={<Ellipsis size={20} aria-hidden="true" />}
                entries={[
                  {
                    key: 'friends.end',
                    label: t('friends.end'),
                    icon: UserMinus,
                    onSelect: () => void end(friend),
                  },
                  {
                    key: 'block',
                    label: t('block.block'),
                    icon: Ban,
                    onSelect: () => onBlock(friend),
                  },
                ]}
              />
            </FriendRow>
          ))}
      </ul>
    </Panel>
  );
}

/** How to find the first friend. */
function NoFriends() {
  const { t } = useTranslation(studyTexts);
  return (
    <Panel title={t('friends.list')}>
      <div className="grid justify-items-center gap-3 py-4 text-center">
        <div aria-hidden="true" className="flex items-end gap-1">
          <Lamp light="burning" size={56} />
          <span className="-scale-x-100">
            <Lamp light="low" size={56} />
          </span>
        </div>
        <p className="font-bold">{t('friends.none')}</p>
        <p className="max-w-[26rem] text-balance text-ink-soft text-small">
          {t('friends.noneHelp')}
        </p>
        <LinkButton size="small" href={paths.main}>
          {t('friends.toRoom')}
        </LinkButton>
      </div>
    </Panel>
  );
}
