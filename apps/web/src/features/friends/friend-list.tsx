import type { FriendCard, FriendState, UserId } from '@mogakgong/contract';
import type { LucideIcon } from 'lucide-react';
import Ban from 'lucide-react/icons/ban';
import DoorOpen from 'lucide-react/icons/door-open';
import Ellipsis from 'lucide-react/icons/ellipsis';
import UserMinus from 'lucide-react/icons/user-minus';
import { friendsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { LinkButton } from '../../shared/ui/button.tsx';
import { confirmed } from '../../shared/ui/confirmed.ts';
import { Lamp } from '../../shared/ui/lamp.tsx';
import { Menu } from '../../shared/ui/menu.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { FriendRow } from './friend-row.tsx';

import { FriendStatus, SitBeside } from './friend-states.tsx';
import { useChangeFriends, useFriendStates } from './use-friends.ts';

interface FriendListProps {
  readonly userId: UserId;
  readonly friends: readonly FriendCard[];
  readonly states: readonly FriendState[];
  /** Whether the learner can invite friends: they sit in a room, and show friends their state. */
  readonly invites: boolean;
  readonly onBlock: (friend: FriendCard) => void;
}

/** The learner's friends by name, first the seated ones. */
export function FriendList(props: FriendListProps) {
  const { userId, friends, states, invites, onBlock } = props;
  const { t, language } = useTranslation(friendsTexts);
  const { remove } = useChangeFriends(userId);
  const { invite } = useFriendStates(userId);
  const stateOf = new Map(states.map((state) => [state.userId, state]));
  const isHere = ({ userId: id }: FriendCard) => Number(stateOf.has(id));
  const { compare } = new Intl.Collator(language);
  const end = async (friend: FriendCard) => {
    const { nickname: name } = friend;
    const isSure = await confirmed(
      t('friends.endAsk', { name }),
      t('friends.endText'),
      t('friends.end'),
    );
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
          .toSorted(
            (one, other) => isHere(other) - isHere(one) || compare(one.nickname, other.nickname),
          )
          .map((friend) => {
            const state = stateOf.get(friend.userId);
            return (
              <FriendRow
                key={friend.userId}
                person={friend}
                note={state && <FriendStatus state={state} />}
              >
                {state && <SitBeside state={state} name={friend.nickname} />}
                <FriendMenu
                  friend={friend}
                  onInvite={
                    invites && state?.place?.way !== 'here' ? () => invite(friend) : undefined
                  }
                  onEnd={() => void end(friend)}
                  onBlock={() => onBlock(friend)}
                />
              </FriendRow>
            );
          })}
      </ul>
    </Panel>
  );
}

interface FriendMenuProps {
  readonly friend: FriendCard;
  /** Absent where the friend cannot be invited. */
  readonly onInvite?: (() => void) | undefined;
  readonly onEnd: () => void;
  readonly onBlock: () => void;
}

function FriendMenu({ friend, onInvite, onEnd, onBlock }: FriendMenuProps) {
  const { t } = useTranslation(friendsTexts);
  const entry = (key: 'friends.invite' | 'friends.end' | 'block.block', icon: LucideIcon) => ({
    ...{ key, icon, label: t(key) },
  });
  return (
    <Menu
      label={t('friends.menu', { name: friend.nickname })}
      triggerClassName="-mr-3 grid size-11 place-items-center rounded-full text-ink-soft hover:bg-raised hover:text-ink"
      trigger={<Ellipsis size={20} aria-hidden="true" />}
      entries={[
        ...(onInvite ? [{ ...entry('friends.invite', DoorOpen), onSelect: onInvite }] : []),
        { ...entry('friends.end', UserMinus), onSelect: onEnd },
        { ...entry('block.block', Ban), onSelect: onBlock },
      ]}
    />
  );
}

/** How to find the first friend. */
function NoFriends() {
  const { t } = useTranslation(friendsTexts);
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
