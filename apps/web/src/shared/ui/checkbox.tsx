import { type ComponentProps, type ReactNode, useId } from 'react';

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'className' | 'type' | 'id'> {
  /** May contain links: they stay usable and do not toggle the box. */
  readonly label: ReactNode;
  readonly error?: string | undefined;
}

/** A native check box with its label; everything else goes onto its input. */
export function Checkbox({ label, error, ...rest }: CheckboxProps) {
  const id = useId();
  const errorId = `${id}-error`;
  return (
    <div>
      <div className="flex items-start gap-3">
        <input
          {...rest}
          id={id}
          type="checkbox"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? errorId : undefined}
          className="mt-1 size-5 shrink-0 cursor-pointer accent-primary max-lg:mt-3"
        />
        <label htmlFor={id} className="cursor-pointer py-0.5 text-small max-lg:py-2.5">
          {label}
        </label>
      </div>
      {error && (
        <p id={errorId} role="alert" className="mt-1 pl-8 text-caption text-danger">
          {error}
        </p>
      )}
    </div>
  );
}

interface NotedLabelProps {
  readonly label: string;
  readonly note: string;
}

/** A label with a note below it, for boxes that need an explanation. */
export function NotedLabel({ label, note }: NotedLabelProps) {
  return (
    <>
      {label}
      <span className="block text-caption text-ink-soft">{note}</span>
    </>
  );
}
