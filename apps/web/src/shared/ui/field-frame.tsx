import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

export interface FieldProps {
  readonly label: string;
  /** Shown under the field while there is no error. */
  readonly hint?: ReactNode;
  /** Shown instead of the hint, tied to the field and announced. */
  readonly error?: string | undefined;
  /** The id of a shared error message elsewhere. */
  readonly errorId?: string | undefined;
  /** A confirmation of the value ("this e-mail is free"), shown instead of the hint. */
  readonly success?: string | undefined;
  /** A button beside the field, for example a duplicate check. */
  readonly action?: ReactNode;
}

interface FieldFrameProps extends FieldProps {
  /** Renders the control with the attributes that tie it to its label and message. */
  readonly children: (
    tie: Pick<ComponentProps<'input'>, 'id' | 'aria-invalid' | 'aria-describedby'>,
  ) => ReactNode;
}

/** The frame of a field's control: its label, a message and a button. */
export function FieldFrame(props: FieldFrameProps) {
  const { label, hint, error, errorId, success, action, children } = props;
  const id = useId();
  const messageId = `${id}-message`;
  const message = error ?? success ?? hint;
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold text-small">
        {label}
      </label>
      <div className="flex gap-2">
        {children({
          id,
          'aria-invalid': Boolean(error ?? errorId) || undefined,
          'aria-describedby': classNames(message ? messageId : null, errorId) || undefined,
        })}
        {action}
      </div>
      <p
        id={messageId}
        role={error ? 'alert' : undefined}
        aria-live={error ? undefined : 'polite'}
        className={classNames(
          'text-caption empty:sr-only',
          error ? 'text-danger' : success ? 'text-focus' : 'text-ink-soft',
        )}
      >
        {message}
      </p>
    </div>
  );
}
