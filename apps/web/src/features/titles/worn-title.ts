import { getProfile, NO_TITLE_KEY, type UserId, type WornTitle } from '@mogakgong/contract';
import { useEffect } from 'react';
import { create } from 'zustand';
import { call, useLoaded } from '../../shared/api/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';

interface OwnWorn {
  readonly userId: UserId | null;
  /** Null: none is worn. */
  readonly title: WornTitle | null;
}

const useOwnWorn = create<OwnWorn>()(() => ({ userId: null, title: null }));

/** Takes what a learner wears now. */
export function setWornTitle(userId: UserId, { key, name, icon }: WornTitle): void {
  useOwnWorn.setState({ userId, title: key === NO_TITLE_KEY ? null : { key, name, icon } });
}

/** Another tab or device may have changed it. */
const RELOAD_EVERY_MS = 5 * 60_000;

/** The title that a learner wears, in the page's language; undefined while it is not known. */
export function useWornTitle(userId: UserId): WornTitle | null | undefined {
  const { language } = useTranslation();
  const known = useOwnWorn();
  const { value: profile } = useLoaded((signal) => call(getProfile, {}, { signal }), {
    key: `${userId} ${language}`,
    everyMs: RELOAD_EVERY_MS,
  });
  useEffect(() => {
    if (profile) setWornTitle(userId, profile.selectedTitle);
  }, [profile, userId]);
  return known.userId === userId ? known.title : undefined;
}
