import {
  getFriendsLeaderboard,
  getLeaderboardSetting,
  getRoomLeaderboard,
  type Leaderboard,
  type LeaderboardSetting,
  putLeaderboardSetting,
  type RoomId,
  type UserId,
} from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call, type Loaded } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { timedCall } from '../../shared/clock/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { leaderboardTexts } from './leaderboard-texts.ts';

const RELOAD_EVERY_MS = 60_000;
/** Of changes that follow one another, one question is asked. */
const SETTLED_AFTER_MS = 1_000;

/** Everything that is known of leaderboards. */
const leaderboardsKey = (userId: UserId) => ['leaderboards', userId] as const;
const roomKey = (userId: UserId, roomId: RoomId) =>
  [...leaderboardsKey(userId), 'room', roomId] as const;
const settingKey = (userId: UserId) => [...leaderboardsKey(userId), 'setting'] as const;

/** The leaderboard of the learner's room. Clocks run on by themselves; the rest is asked for again. */
export function useRoomLeaderboard(
  userId: UserId,
  roomId: RoomId,
  members: unknown,
): Loaded<Leaderboard> {
  const { t } = useTranslation(leaderboardTexts);
  const leaderboard = useLoaded(
    roomKey(userId, roomId),
    (signal) =>
      timedCall(() =>
        call(getRoomLeaderboard, { params: { roomId } }, { signal, fallback: t('loadFailed') }),
      ),
    { refetchInterval: RELOAD_EVERY_MS, refetchOnWindowFocus: 'always' },
  );
  // Who comes, goes, takes a break, or is no longer shown on leaderboards changes the members.
  const knownMembers = useRef(members);
  useEffect(() => {
    if (knownMembers.current === members) return;
    const timer = setTimeout(() => {
      knownMembers.current = members;
      void queryClient.invalidateQueries({ queryKey: roomKey(userId, roomId) });
    }, SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [userId, roomId, members]);
  return leaderboard;
}

/** The leaderboard of the learner's friends. */
export function useFriendsLeaderboard(userId: UserId): Loaded<Leaderboard> {
  const { t } = useTranslation(leaderboardTexts);
  return useLoaded(
    [...leaderboardsKey(userId), 'friends'],
    (signal) =>
      timedCall(() => call(getFriendsLeaderboard, {}, { signal, fallback: t('loadFailed') })),
    { refetchInterval: RELOAD_EVERY_MS, refetchOnWindowFocus: 'always' },
  );
}

/** Whether the learner is shown on leaderboards. */
export function useLeaderboardSetting(userId: UserId): Loaded<LeaderboardSetting> {
  const { t } = useTranslation(leaderboardTexts);
  return useLoaded(settingKey(userId), (signal) =>
    call(getLeaderboardSetting, {}, { signal, fallback: t('loadFailed') }),
  );
}

/** Shows the learner on leaderboards or takes them off; a press while one is under way does nothing. */
export function useTurn(userId: UserId) {
  const { t } = useTranslation(leaderboardTexts);
  const mutationKey = [...settingKey(userId), 'turn'];
  const { mutate, isPending, variables } = useMutation(
    {
      mutationKey,
      mutationFn: (isOn: boolean) =>
        call(putLeaderboardSetting, { body: { isOn } }, { fallback: t('turnFailed') }),
      onSuccess: (setting) => {
        queryClient.setQueryData(settingKey(userId), setting);
        // Not waited for: presses do nothing while this is under way, and a list may be there sooner.
        void queryClient.invalidateQueries({ queryKey: leaderboardsKey(userId) });
      },
      onError: (error) => notifyFailure(error),
    },
    queryClient,
  );
  return {
    // `isPending` is known a moment later: the second of two presses in one task would be sent too.
    turn: (isOn: boolean) => queryClient.isMutating({ mutationKey }) > 0 || mutate(isOn),
    turningTo: isPending ? variables : null,
  };
}
