import { useShortcutsOn } from './shortcuts.ts';

/** The key that does the same, where there is a keyboard to press it on. */
export function KeyHint({ name }: { readonly name: string }) {
  const isOn = useShortcutsOn();
  if (!isOn) return null;
  return (
    <span aria-hidden="true" className="max-md:hidden pointer-coarse:hidden">
      <kbd className="grid h-5 min-w-5 place-items-center rounded-[0.3rem] border border-current px-1 font-sans font-semibold text-tiny leading-none opacity-65">
        {name}
      </kbd>
    </span>
  );
}
