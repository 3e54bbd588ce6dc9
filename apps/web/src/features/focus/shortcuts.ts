import { useEffect, useRef, useSyncExternalStore } from 'react';
import { storageKeys } from '../../shared/lib/storage-keys.ts';

/** What a key does, by its place on the keyboard: the same under a Korean and an English layout. */
export type ShortcutKeys = Readonly<Record<string, () => void>>;

export const SHORTCUTS_KEY = storageKeys.shortcuts;
const OFF = 'off';

const listeners = new Set<() => void>();
let unstored: string | null = null;

function readStored(): string | null {
  try {
    return localStorage.getItem(SHORTCUTS_KEY) ?? unstored;
  } catch {
    return unstored;
  }
}

/** Whether single keys do anything; who steers by voice or by such keys themselves turns them off. */
export function areShortcutsOn(): boolean {
  return readStored() !== OFF;
}

/** Turns them on or off in this browser. */
export function turnShortcuts(isOn: boolean): void {
  unstored = isOn ? null : OFF;
  try {
    if (isOn) localStorage.removeItem(SHORTCUTS_KEY);
    else localStorage.setItem(SHORTCUTS_KEY, OFF);
  } catch {
    // Storage may be forbidden; the choice holds until the page is left.
  }
  for (const listener of [...listeners]) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** `areShortcutsOn`, kept up to date. */
export function useShortcutsOn(): boolean {
  return useSyncExternalStore(subscribe, areShortcutsOn);
}

/** Where keys mean something else: in what is written in or chosen from, and in windows. */
const TAKEN =
  'input:not([type="checkbox"], [type="radio"], [type="button"], [type="submit"]), textarea, select, [contenteditable]:not([contenteditable="false"]), [role="menu"], [role="listbox"], dialog';

function isFree(event: KeyboardEvent): boolean {
  const { target } = event;
  const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey && !event.repeat;
  if (!isPlain || event.isComposing || event.defaultPrevented) return false;
  if (document.querySelector('dialog[open]') !== null) return false;
  return !(target instanceof Element && target.closest(TAKEN) !== null);
}

/** Listens for single keys wherever the focus is, as long as they are on and mean nothing else there. */
export function useShortcuts(keys: ShortcutKeys): void {
  const keysRef = useRef(keys);
  useEffect(() => {
    keysRef.current = keys;
  });
  useEffect(() => {
    const heed = (event: KeyboardEvent) => {
      const name = event.shiftKey ? `Shift+${event.code}` : event.code;
      const act = keysRef.current[name];
      if (act === undefined || !areShortcutsOn() || !isFree(event)) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', heed);
    return () => document.removeEventListener('keydown', heed);
  }, []);
}
