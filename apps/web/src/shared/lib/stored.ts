import type { StorageKey } from './storage-keys.ts';

/** The storage of a value: the browser's, or this tab's. */
const STORAGES = { browser: () => localStorage, tab: () => sessionStorage } as const;
type Place = keyof typeof STORAGES;

/** Values that the browser refuses to store (full or forbidden): they last as long as the page. */
const unstored = new Map<string, string | null>();

/** A stored value; null where there is none. */
export function readStored(key: StorageKey, place: Place = 'browser'): string | null {
  if (unstored.has(key)) return unstored.get(key) ?? null;
  try {
    return STORAGES[place]().getItem(key);
  } catch {
    return null;
  }
}

/** Stores a value, or removes it (null). */
export function writeStored(key: StorageKey, value: string | null, place: Place = 'browser'): void {
  try {
    if (value === null) STORAGES[place]().removeItem(key);
    else STORAGES[place]().setItem(key, value);
    unstored.delete(key);
  } catch {
    unstored.set(key, value);
  }
}
