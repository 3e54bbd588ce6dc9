import { storageKeys } from '../lib/storage-keys.ts';
import { readStored, writeStored } from '../lib/stored.ts';

const listeners = new Set<(token: string | null) => void>();

/** The access token that requests carry, or null for a logged-out visitor. */
export function readAccessToken(): string | null {
  return readStored(storageKeys.token);
}

/** Stores a new access token, or removes the old one (null), and calls the listeners of this tab. */
export function storeAccessToken(token: string | null): void {
  writeStored(storageKeys.token, token);
  for (const listener of listeners) listener(token);
}

/** Calls back whenever this tab stores or removes a token; returns a cleanup function. */
export function onAccessTokenStored(listener: (token: string | null) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
