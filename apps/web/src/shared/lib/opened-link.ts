import { useCallback, useSyncExternalStore } from 'react';
import { storageKeys } from './storage-keys.ts';
import { readStored, writeStored } from './stored.ts';

/** The format of secrets in shared links, as the API makes them. */
const SECRET = /^[\w-]{20,64}$/u;

/** The target of a link. */
const KEYS = {
  room: storageKeys.invitation,
  friend: storageKeys.friendLink,
  group: `${storageKeys.invitation}.group`,
} as const;
type Kind = keyof typeof KEYS;

const secretOrNull = (text: unknown) =>
  typeof text === 'string' && SECRET.test(text) ? text : null;

/** The link of this history entry, else the last one opened in the tab. */
function openedLink(kind: Kind): string | null {
  const given = window.location.hash.slice(1);
  if (given !== '') return secretOrNull(given);
  return secretOrNull(window.history.state?.link) ?? secretOrNull(readStored(KEYS[kind], 'tab'));
}

/**
 * Removes the secret from the address, where others may read it. The history entry keeps it for a reload and
 * Back, and the tab for the page after log-in.
 */
function keepOutOfAddress(kind: Kind): void {
  const link = openedLink(kind);
  if (link === null) return;
  writeStored(KEYS[kind], link, 'tab');
  const { pathname, search } = window.location;
  window.history.replaceState({ ...window.history.state, link }, '', pathname + search);
}

/**
 * The secret of the link opened in this tab, or null. It is kept in the tab across log-in and sign-up, and
 * not in their addresses, which servers log.
 */
export function useOpenedLink(kind: Kind): string | null {
  const subscribe = useCallback(
    (listener: () => void) => {
      const page = window.location.pathname;
      const follow = () => {
        // Back may lead to another page.
        if (window.location.pathname !== page) return;
        keepOutOfAddress(kind);
        listener();
      };
      keepOutOfAddress(kind);
      // A link opened in a tab with this page changes only the hash.
      window.addEventListener('hashchange', follow);
      window.addEventListener('popstate', follow);
      return () => {
        window.removeEventListener('hashchange', follow);
        window.removeEventListener('popstate', follow);
      };
    },
    [kind],
  );
  return useSyncExternalStore(subscribe, () => openedLink(kind));
}
