import { storageKeys } from '../lib/storage-keys.ts';
import { readStored, writeStored } from '../lib/stored.ts';

type TokenListener = (token: string | null) => void;

const listeners = new Set<TokenListener>();

/** The access token that requests carry, or null when nobody is logged in. */
export function readAccessToken(): string | null {
  return readStored(storageKeys.token);
}

/** Keeps a new access token, or forgets the old one (null), and calls the listeners of this tab. */
export function storeAccessToken(token: string | null): void {
  writeStored(storageKeys.token, token);
  for (const listener of listeners) listener(token);
}

/** Calls back whenever this tab stores or forgets a token; returns a cleanup function. */
export function onAccessTokenStored(listener: TokenListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
