import { getProfile, type RouteReply, UserId } from '@mogakgong/contract';
import { useEffect } from 'react';
import * as z from 'zod/mini';
import { useTranslation } from '../i18n/texts.ts';
import { createTabChannel } from '../lib/tab-channel.ts';
import { call } from './call.ts';
import { queryClient } from './query.ts';
import { useLoaded } from './use-loaded.ts';

/** A learner's own profile as the API answers it, in the language of the page. */
export type Profile = RouteReply<typeof getProfile>;

/** Another device may have changed it. */
const STALE_AFTER_MS = 5 * 60_000;

/** Each tab asks for itself: its language may differ. */
const otherTabs = createTabChannel('mogakgong.profile', z.object({ userId: UserId }));

/** Begins the keys of what another tab may have changed: the learner's profile, and their titles. */
export const learnerKey = (userId: UserId | null) => ['learner', userId] as const;

/** Asks again for what another tab has changed, while the caller is shown. */
export function useLearnerChanges(userId: UserId | null): void {
  useEffect(() => {
    const ofLearner = { queryKey: learnerKey(userId) };
    return otherTabs.listen((message) => {
      if (message.userId !== userId) return;
      void queryClient.invalidateQueries(ofLearner, { cancelRefetch: false });
    });
  }, [userId]);
}

/** The learner's own profile, kept up to date while the caller is shown; null until it is known. */
export const useProfile = (userId: UserId | null): Profile | null => useLoadedProfile(userId).value;

/** The same, with why it could not be loaded. */
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

/** Puts what a change was answered with into the profile, and lets other tabs ask for it. */
export function changeProfile(userId: UserId, change: Partial<Profile>): void {
  queryClient.setQueriesData<Profile>(
    { queryKey: [...learnerKey(userId), 'profile'] },
    (profile) => profile && { ...profile, ...change },
  );
  otherTabs.post({ userId });
}

/** Notes that there is a title that the learner could wear. */
export function noteWonTitle(userId: UserId): void {
  queryClient.setQueriesData<Profile>(
    { queryKey: [...learnerKey(userId), 'profile'] },
    (profile) => profile && { ...profile, hasWonTitle: true },
  );
}

/** Asks again for what has been changed elsewhere, and lets other tabs ask. */
export function reloadProfile(userId: UserId): void {
  void queryClient.invalidateQueries({ queryKey: learnerKey(userId) });
  otherTabs.post({ userId });
}

/** Takes what the learner's room says of them: another device may have changed it. */
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
