import { classNames } from './class-names.ts';

/** Marks news behind a button. Decorative: its name says so, too. */
export function NewsDot({ className }: { readonly className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'size-2.5 rounded-full bg-lamp ring-2 ring-surface forced-color-adjust-none',
        className,
      )}
    />
  );
}
