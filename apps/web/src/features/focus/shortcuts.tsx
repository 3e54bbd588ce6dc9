import { useEffect, useEffectEvent } from 'react';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { storageKeys } from '../../shared/lib/storage-keys.ts';

const name = storageKeys.shortcuts;

/** Whether single-key shortcuts work: users of voice control, or of such keys in other tools, turn them off. */
export const useShortcutsSetting = create(persist(() => ({ isOn: true }), { name }));
// Another tab changed it.
window.addEventListener('storage', ({ key }) => {
  if (key === name) void useShortcutsSetting.persist.rehydrate();
});

/** Elements in which a key has its own meaning. */
const TAKEN =
  'input:not([type="checkbox"], [type="radio"], [type="button"], [type="submit"]), textarea, select, [contenteditable]:not([contenteditable="false"]), [role="menu"], [role="listbox"], dialog';

/** Whether the pressed key has no other meaning where the focus is. */
export function isFree(event: KeyboardEvent): boolean {
  const { target } = event;
  const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey && !event.repeat;
  if (!isPlain || event.isComposing || event.defaultPrevented) return false;
  if (document.querySelector('dialog[open]') !== null) return false;
  return !(target instanceof Element && target.closest(TAKEN) !== null);
}

/**
 * Listens for single-key shortcuts wherever the focus is, while they are on and have no other meaning there.
 * @param keys actions by the key's place on the keyboard: the same under a Korean and an English layout.
 * @param page the window to listen in: this page, or a window that it has opened.
 */
export function useShortcuts(
  keys: Readonly<Record<string, () => void>>,
  page: Document = document,
): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const act = keys[event.shiftKey ? `Shift+${event.code}` : event.code];
    if (act === undefined || !useShortcutsSetting.getState().isOn || !isFree(event)) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    page.addEventListener('keydown', onKeyDown);
    return () => page.removeEventListener('keydown', onKeyDown);
  }, [page]);
}

/** The shortcut of the button around it, shown where there is a keyboard. */
export function KeyHint({ name }: { readonly name: string }) {
  const { isOn } = useShortcutsSetting();
  if (!isOn) return null;
  return (
    <span
      aria-hidden="true"
      className="@max-[91rem]/bar:hidden max-lg:hidden pointer-coarse:hidden"
    >
      <kbd className="grid h-5 min-w-5 place-items-center rounded-[0.3rem] border border-current px-1 font-sans font-semibold text-tiny leading-none opacity-65">
        {name}
      </kbd>
    </span>
  );
}
