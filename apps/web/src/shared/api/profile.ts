import { getProfile, type RouteReply, UserId } from '@mogakgong/contract';
import { useEffect } from 'react';
import * as z from 'zod/mini';
import { useTranslation } from '../i18n/texts.ts';
import { createTabChannel } from '../lib/tab-channel.ts';
import { call } from './call.ts';
import { queryClient } from './query.ts';
import { useLoaded } from './use-loaded.ts';

/** A learner's own profile from the API, in the language of the page. */
export type Profile = RouteReply<typeof getProfile>;

/** Another device may have changed it. */
const STALE_AFTER_MS = 5 * 60_000;

/** Each tab asks for itself: its language may differ. */
const otherTabs = createTabChannel('mogakgong.profile', z.object({ userId: UserId }));

/**
 * Cache key prefix of the learner's own data. A query below it is read again at the notice `changed` with its
 * name, after a gap in the notices, and when another tab has changed something.
 */
export const learnerKey = (userId: UserId | null) => ['learner', userId] as const;

/** Reloads data that another tab has changed, while the caller is mounted. */
export function useLearnerChanges(userId: UserId | null): void {
  useEffect(() => {
    const ofLearner = { queryKey: learnerKey(userId) };
    return otherTabs.listen((message) => {
      if (message.userId !== userId) return;
      void queryClient.invalidateQueries(ofLearner, { cancelRefetch: false });
    });
  }, [userId]);
}

/** The learner's own profile, kept up to date while the caller is mounted; null until known. */
export const useProfile = (userId: UserId | null): Profile | null => useLoadedProfile(userId).value;

/** The same, with the reason if it could not be loaded. */
export function useLoadedProfile(userId: UserId | null) {
  const { language, t } = useTranslation();
  useLearnerChanges(userId);
  return useLoaded(
    [...learnerKey(userId), 'profile', language],
    (signal) => call(getProfile, {}, { signal, fallback: t('account.profileFailed') }),
    {
      enabled: userId !== null,
      staleTime: STALE_AFTER_MS,
      refetchInterval: STALE_AFTER_MS,
      refetchOnWindowFocus: true,
    },
  );
}

/** Updates the profile from the answer to a change, and tells other tabs to reload it. */
export function changeProfile(userId: UserId, change: Partial<Profile>): void {
  queryClient.setQueriesData<Profile>(
    { queryKey: [...learnerKey(userId), 'profile'] },
    (profile) => profile && { ...profile, ...change },
  );
  otherTabs.post({ userId });
}

/** Records that the learner has a title to choose. */
export function noteWonTitle(userId: UserId): void {
  queryClient.setQueriesData<Profile>(
    { queryKey: [...learnerKey(userId), 'profile'] },
    (profile) => profile && { ...profile, hasWonTitle: true },
  );
}

/** Reloads data changed elsewhere, in this and other tabs. */
export function reloadProfile(userId: UserId): void {
  void queryClient.invalidateQueries({ queryKey: learnerKey(userId) });
  otherTabs.post({ userId });
}

/** Updates the profile from the learner's card in their room: another device may have changed it. */
export function takeOwnCard(
  userId: UserId,
  card: Pick<Profile, 'nickname' | 'profileImage'>,
): void {
  const { nickname, profileImage } = card;
  queryClient.setQueriesData<Profile>(
    { queryKey: [...learnerKey(userId), 'profile'] },
    (profile) => {
      const isKnown = profile?.nickname === nickname && profile.profileImage === profileImage;
      return profile && !isKnown ? { ...profile, nickname, profileImage } : profile;
    },
  );
}
