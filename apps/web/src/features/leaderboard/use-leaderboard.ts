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
import { studyTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';

const RELOAD_EVERY_MS = 60_000;
/** Changes that follow one another within this time cause one request. */
const SETTLED_AFTER_MS = 1_000;

/** Cache key of all leaderboards of a learner. */
const leaderboardsKey = (userId: UserId) => ['leaderboards', userId] as const;
const roomKey = (userId: UserId, roomId: RoomId) =>
  [...leaderboardsKey(userId), 'room', roomId] as const;
const settingKey = (userId: UserId) => [...leaderboardsKey(userId), 'setting'] as const;

/** The leaderboard of the learner's room. Clocks advance locally; the rest is loaded again. */
export function useRoomLeaderboard(
  userId: UserId,
  roomId: RoomId,
  members: unknown,
): Loaded<Leaderboard> {
  const { t } = useTranslation(studyTexts);
  const leaderboard = useLoaded(
    roomKey(userId, roomId),
    (signal) =>
      timedCall(() =>
        call(
          getRoomLeaderboard,
          { params: { roomId } },
          { signal, fallback: t('leaderboard.loadFailed') },
        ),
      ),
    { refetchInterval: RELOAD_EVERY_MS, refetchOnWindowFocus: 'always' },
  );
  // Members change when a learner comes, goes, takes a break, or leaves the leaderboards.
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
  const { t } = useTranslation(studyTexts);
  return useLoaded(
    [...leaderboardsKey(userId), 'friends'],
    (signal) =>
      timedCall(() =>
        call(getFriendsLeaderboard, {}, { signal, fallback: t('leaderboard.loadFailed') }),
      ),
    { refetchInterval: RELOAD_EVERY_MS, refetchOnWindowFocus: 'always' },
  );
}

/** Whether the learner is shown on leaderboards. */
export function useLeaderboardSetting(userId: UserId): Loaded<LeaderboardSetting> {
  const { t } = useTranslation(studyTexts);
  return useLoaded(settingKey(userId), (signal) =>
    call(getLeaderboardSetting, {}, { signal, fallback: t('leaderboard.loadFailed') }),
  );
}

/** Shows the learner on leaderboards or removes them; a press while one is pending does nothing. */
export function useLeaderboardToggle(userId: UserId) {
  const { t } = useTranslation(studyTexts);
  const mutationKey = [...settingKey(userId), 'set'];
  const { mutate, isPending, variables } = useMutation({
    mutationKey,
    mutationFn: (isOn: boolean) =>
      call(putLeaderboardSetting, { body: { isOn } }, { fallback: t('leaderboard.turnFailed') }),
    onSuccess: (setting) => {
      queryClient.setQueryData(settingKey(userId), setting);
      // Not awaited: presses do nothing while this is pending, and a list may arrive sooner.
      void queryClient.invalidateQueries({ queryKey: leaderboardsKey(userId) });
    },
    onError: (error) => notifyFailure(error),
  });
  return {
    // `isPending` is set a moment later: the second of two presses in one task would be sent too.
    setOn: (isOn: boolean) => queryClient.isMutating({ mutationKey }) > 0 || mutate(isOn),
    pendingValue: isPending ? variables : null,
  };
}
