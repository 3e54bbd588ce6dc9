import { storageKeys } from '../lib/storage-keys.ts';
import { readStored, writeStored } from '../lib/stored.ts';

/** The token's own key, beside the persisted auth state (specification §4). */
export const TOKEN_KEY = storageKeys.token;

type TokenListener = (token: string | null) => void;

const listeners = new Set<TokenListener>();

/** The access token that requests carry, or null when nobody is logged in. */
export function readAccessToken(): string | null {
  return readStored(TOKEN_KEY);
}

/** Keeps a new access token, or forgets the old one (null), and tells the listeners of this tab. */
export function storeAccessToken(token: string | null): void {
  writeStored(TOKEN_KEY, token);
  for (const listener of listeners) listener(token);
}

/** Calls back whenever this tab stores or forgets a token; returns a cleanup function. */
export function onAccessTokenStored(listener: TokenListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
