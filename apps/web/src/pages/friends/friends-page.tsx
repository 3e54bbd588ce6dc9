import type { FriendCard, Friends, UserId } from '@mogakgong/contract';
import { Suspense } from 'react';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { askToBlock } from '../../features/blocks/block-actions.ts';
import { FriendList } from '../../features/friends/friend-list.tsx';
import { Invitations, StateSharing } from '../../features/friends/friend-states.tsx';
import { OwnLink } from '../../features/friends/own-link.tsx';
import { ReceivedRequests, SentRequests } from '../../features/friends/requests.tsx';
import { useFriends } from '../../features/friends/use-friends.ts';
import { FriendsLeaderboard } from '../../features/leaderboard/friends-leaderboard.tsx';
import { useCurrentRoom } from '../../room/live/current-room.ts';
import { friendsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { usePageTitle } from '../../shared/ui/page-title.ts';

/** The learner's friends, requests to answer and their own link. */
export function FriendsPage() {
  const { t } = useTranslation(friendsTexts);
  const userId = useOwnUserId();
  usePageTitle(t('friends.title'));
  return (
    <div className="mx-auto grid min-h-dvh w-full max-w-[72rem] content-start grid-cols-[minmax(0,1fr)] gap-5 px-4 py-8 sm:px-6 sm:py-12">
      <header className="grid gap-2 pb-1">
        <h1 className="font-extrabold text-heading">{t('friends.title')}</h1>
        <p className="text-ink-soft text-small">{t('friends.lead')}</p>
      </header>
      {userId !== null && <OwnFriends key={userId} userId={userId} />}
    </div>
  );
}

function OwnFriends({ userId }: { readonly userId: UserId }) {
  const loaded = useFriends(userId);
  const block = async ({ userId: blockedId, nickname: name }: FriendCard) => {
    await askToBlock(userId, { userId: blockedId, name });
    loaded.reload();
  };
  return (
    <LoadState of={loaded}>
      {(friends) => <Lists userId={userId} friends={friends} onBlock={block} />}
    </LoadState>
  );
}

interface ListsProps {
  readonly userId: UserId;
  readonly friends: Friends;
  readonly onBlock: (friend: FriendCard) => Promise<void>;
}

function Lists({ userId, friends: all, onBlock }: ListsProps) {
  const { friends, received, sent, link, sharesState, states, invitations } = all;
  const isSeated = useCurrentRoom(({ seat }) => seat?.userId === userId);
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="grid min-w-0 gap-5">
        {invitations.length > 0 && <Invitations {...{ userId, invitations }} />}
        {received.length > 0 && <ReceivedRequests userId={userId} people={received} />}
        <FriendList
          {...{ userId, friends, states }}
          invites={isSeated && sharesState}
          onBlock={(friend) => void onBlock(friend)}
        />
        <Suspense>{friends.length > 0 && <FriendsLeaderboard userId={userId} />}</Suspense>
      </div>
      <div className="grid min-w-0 gap-5">
        {friends.length > 0 && <StateSharing {...{ userId, sharesState }} />}
        <OwnLink userId={userId} link={link} />
        {sent.length > 0 && <SentRequests userId={userId} people={sent} />}
      </div>
    </div>
  );
}
