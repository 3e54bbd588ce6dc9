import { storageKeys } from '../lib/storage-keys.ts';

/** The token's own key, beside the persisted auth state (specification §4). */
export const TOKEN_KEY = storageKeys.token;

type TokenListener = (token: string | null) => void;

const listeners = new Set<TokenListener>();
/** What is used where the browser refuses storage: the log-in then lasts as long as the page. */
let unstoredToken: string | null = null;

/** The access token that requests carry, or null when nobody is logged in. */
export function readAccessToken(): string | null {
  try {
    return localStorage.getItem(TOKEN_KEY) ?? unstoredToken;
  } catch {
    return unstoredToken;
  }
}

/** Keeps a new access token, or forgets the old one (null), and tells the listeners of this tab. */
export function storeAccessToken(token: string | null): void {
  unstoredToken = null;
  try {
    if (token === null) localStorage.removeItem(TOKEN_KEY);
    else localStorage.setItem(TOKEN_KEY, token);
  } catch {
    unstoredToken = token;
  }
  for (const listener of listeners) listener(token);
}

/** Calls back whenever this tab stores or forgets a token; answers how to stop that. */
export function onAccessTokenStored(listener: TokenListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
