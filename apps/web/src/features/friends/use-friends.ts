import {
  acceptFriend,
  declineFriendInvitation,
  type FriendCard,
  type Friends,
  getFriends,
  inviteFriend,
  removeFriend,
  shareFriendState,
  type UserId,
} from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { changeProfile } from '../../shared/api/profile.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { friendsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { notify } from '../../shared/ui/notify.ts';
import { friendsKey } from './friend-mark.tsx';

/** Outside a room no notice reports a new request; none reports a changed state. */
const ASK_AGAIN_MS = 60_000;
const STATES_AGAIN_MS = 20_000;

/** The learner's friends and requests, kept up to date while the caller is shown. */
export function useFriends(userId: UserId) {
  const { t } = useTranslation(friendsTexts);
  return useLoaded(
    friendsKey(userId),
    (signal) => call(getFriends, {}, { signal, fallback: t('friends.loadFailed') }),
    {
      refetchOnMount: 'always',
      refetchOnWindowFocus: true,
      refetchInterval: ({ state }) => (state.data?.sharesState ? STATES_AGAIN_MS : ASK_AGAIN_MS),
    },
  );
}

/** Stores a known change of the lists, and updates the header's count of requests. */
export function changeFriends(userId: UserId, change: Partial<Friends>): void {
  const key = friendsKey(userId);
  queryClient.setQueryData<Friends>(key, (friends) => friends && { ...friends, ...change });
  const received = queryClient.getQueryData<Friends>(key)?.received;
  if (received) changeProfile(userId, { hasFriendRequest: received.length > 0 });
}

/** Shows friends the learner's state or no longer, invites one, or declines an invitation. */
export function useFriendStates(userId: UserId) {
  const { t } = useTranslation(friendsTexts);
  const { mutate, isPending } = useMutation({
    mutationFn: (work: () => Promise<Friends | null>) => work(),
    onSuccess: (friends) => friends && changeFriends(userId, friends),
    onError: (error) => notifyFailure(error),
  });
  const fallback = t('friends.failed');
  return {
    isPending,
    share: (sharesState: boolean) =>
      mutate(() => call(shareFriendState, { body: { sharesState } }, { fallback })),
    decline: (friendId: UserId) =>
      mutate(() => call(declineFriendInvitation, { params: { friendId } }, { fallback })),
    invite: ({ userId: friendId, nickname: name }: FriendCard) =>
      mutate(async () => {
        await call(inviteFriend, { params: { friendId } }, { fallback });
        notify.toast(t('friends.invited', { name }), 'good');
        return null;
      }),
  };
}

interface Change {
  readonly route: typeof acceptFriend | typeof removeFriend;
  readonly person: FriendCard;
  /** The announcement on success. */
  readonly done: string;
}

/** Accepts or declines a request, withdraws one, or ends a friendship; one change at a time. */
export function useChangeFriends(userId: UserId) {
  const { t } = useTranslation(friendsTexts);
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ route, person }: Change) =>
      call(route, { params: { friendId: person.userId } }, { fallback: t('friends.failed') }),
    onSuccess: (friends, { done }) => {
      changeFriends(userId, friends);
      notify.toast(done, 'good');
    },
    onError: (error) => {
      notifyFailure(error);
      // The request may no longer exist.
      void queryClient.invalidateQueries({ queryKey: friendsKey(userId) });
    },
  });
  return {
    accept: (person: FriendCard) =>
      isPending ||
      mutate({
        route: acceptFriend,
        person,
        done: t('friends.accepted', { name: person.nickname }),
      }),
    remove: (person: FriendCard, done: string) =>
      isPending || mutate({ route: removeFriend, person, done }),
    /** The person of the pending change. */
    changing: isPending ? variables : null,
  };
}
