import { getProfile, NO_TITLE_KEY, type UserId, type WornTitle } from '@mogakgong/contract';
import { useEffect, useSyncExternalStore } from 'react';
import { call } from '../../shared/api/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';

interface OwnWorn {
  readonly userId: UserId;
  /** Null: none is worn. */
  readonly title: WornTitle | null;
}

let own: OwnWorn | null = null;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Takes what a learner wears now. */
export function setWornTitle(userId: UserId, { key, name, icon }: WornTitle): void {
  own = { userId, title: key === NO_TITLE_KEY ? null : { key, name, icon } };
  for (const listener of [...listeners]) listener();
}

/** The title that a learner wears, in the page's language; undefined while it is not known. */
export function useWornTitle(userId: UserId): WornTitle | null | undefined {
  const { language } = useTranslation();
  const known = useSyncExternalStore(subscribe, () => own);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language is another name
  useEffect(() => {
    const stop = new AbortController();
    call(getProfile, {}, { signal: stop.signal })
      .then(({ selectedTitle }) => setWornTitle(userId, selectedTitle))
      // The header goes without; a log-in that ended is noticed elsewhere.
      .catch(() => undefined);
    return () => stop.abort();
  }, [userId, language]);
  return known?.userId === userId ? known.title : undefined;
}
