import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { useTranslation } from '../i18n/texts.ts';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { Input } from './inputs.tsx';

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'className' | 'size' | 'id'> {
  readonly label: string;
  /** Shown under the field while there is no error. */
  readonly hint?: ReactNode;
  /** Shown instead of the hint, tied to the field and announced. */
  readonly error?: string | undefined;
  /** The id of a message elsewhere that says what is wrong with this field and others. */
  readonly errorId?: string | undefined;
  /** Good news about the value ("this e-mail is free"), shown instead of the hint. */
  readonly success?: string | undefined;
  /** A button beside the field, for example a duplicate check. */
  readonly action?: ReactNode;
}

/**
 * A labelled one-line field; everything else goes onto its input.
 * `type="password"` brings a button that shows what is typed.
 */
export function TextField(props: TextFieldProps) {
  const { label, hint, error, errorId, success, action, type, ...rest } = props;
  const { t } = useTranslation();
  const id = useId();
  const messageId = `${id}-message`;
  const [isRevealed, setIsRevealed] = useState(false);
  const isPassword = type === 'password';
  const message = error ?? success ?? hint;
  const isWrong = Boolean(error ?? errorId);
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-small font-semibold">
        {label}
      </label>
      <div className="flex gap-2">
        <div className="relative min-w-0 flex-1">
          <Input
            {...rest}
            inputSize="large"
            id={id}
            type={isPassword && isRevealed ? 'text' : type}
            aria-invalid={isWrong || undefined}
            aria-describedby={classNames(message ? messageId : null, errorId) || undefined}
            className={isPassword ? 'pr-12' : undefined}
          />
          {isPassword && (
            <IconButton
              icon={isRevealed ? EyeOff : Eye}
              label={t(isRevealed ? 'field.hidePassword' : 'field.showPassword')}
              className="absolute top-0.5 right-0.5"
              onClick={() => setIsRevealed(!isRevealed)}
            />
          )}
        </div>
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
