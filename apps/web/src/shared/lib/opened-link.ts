import { useSyncExternalStore } from 'react';
import { storageKeys } from './storage-keys.ts';
import { readStored, writeStored } from './stored.ts';

/** The secrets of links that learners pass on, as the API makes them. */
const SECRET = /^[\w-]{20,64}$/u;

/** What a link leads to. */
const KEYS = { room: storageKeys.invitation, friend: storageKeys.friendLink } as const;

function onHashChange(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

/**
 * The secret of the link that was opened in this tab, or null. It is kept in the tab, over log-in and
 * sign-up, and not in their addresses, which servers write into their logs.
 */
export function useOpenedLink(kind: keyof typeof KEYS): string | null {
  // A link that is opened in a tab with this page changes nothing but the hash.
  return useSyncExternalStore(onHashChange, () => {
    const given = window.location.hash.slice(1);
    if (SECRET.test(given)) writeStored(KEYS[kind], given, 'tab');
    const kept = readStored(KEYS[kind], 'tab');
    return kept !== null && SECRET.test(kept) ? kept : null;
  });
}
