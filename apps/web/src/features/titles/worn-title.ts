import { getProfile, NO_TITLE_KEY, UserId, type WornTitle } from '@mogakgong/contract';
import { useEffect } from 'react';
import * as z from 'zod/mini';
import { create } from 'zustand';
import { call, useLoaded } from '../../shared/api/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { createTabChannel } from '../../shared/lib/tab-channel.ts';

interface OwnWorn {
  readonly userId: UserId | null;
  /** Null: none is worn. */
  readonly title: WornTitle | null;
}

const useOwnWorn = create<OwnWorn>()(() => ({ userId: null, title: null }));

function take(userId: UserId, { key, name, icon }: WornTitle): void {
  useOwnWorn.setState({ userId, title: key === NO_TITLE_KEY ? null : { key, name, icon } });
}

/** Each asks anew: it may be in another language. */
const otherTabs = createTabChannel('mogakgong.worn-title', z.object({ userId: UserId }));

/** Takes what a learner wears from now on, and tells the other tabs. */
export function setWornTitle(userId: UserId, title: WornTitle): void {
  take(userId, title);
  otherTabs.tell({ userId });
}

/** Calls back when a learner changed in another tab what they wear; answers how to stop that. */
export function onWornElsewhere(userId: UserId, act: () => void): () => void {
  return otherTabs.listen((news) => news.userId === userId && act());
}

/** Another device may have changed it. */
const RELOAD_EVERY_MS = 5 * 60_000;

/** Keeps what a learner wears up to date, in the page's language, while the caller is shown. */
export function useWornTitleWatch(userId: UserId): void {
  const { language } = useTranslation();
  const { value: profile, reload } = useLoaded((signal) => call(getProfile, {}, { signal }), {
    key: `${userId} ${language}`,
    everyMs: RELOAD_EVERY_MS,
  });
  useEffect(() => {
    if (profile) take(userId, profile.selectedTitle);
  }, [profile, userId]);
  useEffect(() => onWornElsewhere(userId, reload), [userId, reload]);
}

/** The title that a learner wears; null when it is none, undefined while it is not known. */
export function useWornTitle(userId: UserId): WornTitle | null | undefined {
  const worn = useOwnWorn();
  return worn.userId === userId ? worn.title : undefined;
}
