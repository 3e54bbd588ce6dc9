import {
  acceptFriend,
  type FriendCard,
  type Friends,
  getFriends,
  removeFriend,
  type UserId,
} from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { changeProfile, learnerKey } from '../../shared/api/profile.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { studyTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { notify } from '../../shared/ui/notify.ts';

/** Outside a room no notice reports a new request. */
const ASK_AGAIN_MS = 60_000;

const keyOf = (userId: UserId) => [...learnerKey(userId), 'friends'];

/** The learner's friends and requests, kept up to date while the caller is shown. */
export function useFriends(userId: UserId) {
  const { t } = useTranslation(studyTexts);
  return useLoaded(
    keyOf(userId),
    (signal) => call(getFriends, {}, { signal, fallback: t('friends.loadFailed') }),
    { refetchOnMount: 'always', refetchOnWindowFocus: true, refetchInterval: ASK_AGAIN_MS },
  );
}

/** Stores a known change of the lists, and updates the header's count of requests. */
export function changeFriends(userId: UserId, change: Partial<Friends>): void {
  const key = keyOf(userId);
  queryClient.setQueryData<Friends>(key, (friends) => friends && { ...friends, ...change });
  const received = queryClient.getQueryData<Friends>(key)?.received;
  if (received) changeProfile(userId, { hasFriendRequest: received.length > 0 });
}

interface Change {
  readonly route: typeof acceptFriend | typeof removeFriend;
  readonly person: FriendCard;
  /** The announcement on success. */
  readonly done: string;
}

/** Accepts or declines a request, withdraws one, or ends a friendship; one change at a time. */
export function useChangeFriends(userId: UserId) {
  const { t } = useTranslation(studyTexts);
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
      void queryClient.invalidateQueries({ queryKey: keyOf(userId) });
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
