import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { FieldFrame, type FieldProps } from './field-frame.tsx';

/** `medium` 44 px, `large` 48 px high. */
type InputSize = 'medium' | 'large';

interface InputLook {
  readonly inputSize?: InputSize;
  /** Position, width and padding; the look is the same everywhere. */
  readonly className?: string | undefined;
}

const SIZES: Readonly<Record<InputSize, string>> = {
  medium: 'min-h-11 px-3 text-small',
  large: 'min-h-12 px-4 text-body',
};

function inputClass({ inputSize = 'medium', className }: InputLook): string {
  return classNames(
    'w-full min-w-0 flex-1 rounded-medium border border-line-strong bg-surface placeholder:text-ink-soft disabled:opacity-60 aria-invalid:border-danger',
    SIZES[inputSize],
    className,
  );
}

/** A one-line input without a label; `TextField` adds label and messages. */
export function Input({ inputSize, className, ...rest }: InputLook & ComponentProps<'input'>) {
  return (
    <input
      {...rest}
      className={inputClass({ inputSize, className: classNames('read-only:bg-raised', className) })}
    />
  );
}

type SelectFieldProps = FieldProps &
  Omit<ComponentProps<'select'>, 'className' | 'id'> & { readonly inputSize?: InputSize };

/** The browser's own list of choices with a label; everything else goes onto its select. */
export function SelectField(props: SelectFieldProps) {
  const { label, hint, error, errorId, action, inputSize, ...rest } = props;
  return (
    <FieldFrame {...{ label, hint, error, errorId, action }}>
      {(tie) => (
        <select
          {...rest}
          {...tie}
          className={inputClass({ inputSize, className: 'max-w-98 pr-9' })}
        />
      )}
    </FieldFrame>
  );
}

/** A multi-line input without manual resizing. */
export function Textarea({
  inputSize,
  className,
  ...rest
}: InputLook & ComponentProps<'textarea'>) {
  return (
    <textarea
      {...rest}
      className={inputClass({ inputSize, className: classNames('block resize-none', className) })}
    />
  );
}

type TextareaFieldProps = FieldProps &
  InputLook &
  Omit<ComponentProps<'textarea'>, 'className' | 'id'>;

/** A multi-line input with a label; everything else goes onto its text area. */
export function TextareaField(props: TextareaFieldProps) {
  const { label, hint, error, errorId, ...rest } = props;
  return (
    <FieldFrame {...{ label, hint, error, errorId }}>
      {(tie) => <Textarea {...rest} {...tie} />}
    </FieldFrame>
  );
}
