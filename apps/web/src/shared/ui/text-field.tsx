import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { useTranslation } from '../i18n/texts.ts';
import { IconButton } from './button.tsx';
import { FieldFrame, type FieldProps } from './field-frame.tsx';
import { Input } from './inputs.tsx';

type TextFieldProps = FieldProps & Omit<ComponentProps<'input'>, 'className' | 'size' | 'id'>;

const EMAIL = { inputMode: 'email', autoCapitalize: 'none', spellCheck: false } as const;

/**
 * A labelled one-line field; everything else goes onto its input. `type="password"` adds a button that shows
 * the text; `type="email"` asks for the keyboard of addresses, without capitals and spell check.
 */
export function TextField(props: TextFieldProps) {
  const { label, hint, error, errorId, success, action, type, ...rest } = props;
  const { t } = useTranslation();
  const [isRevealed, setIsRevealed] = useState(false);
  const isPassword = type === 'password';
  return (
    <FieldFrame {...{ label, hint, error, errorId, success, action }}>
      {(tie) => (
        <div className="relative min-w-0 flex-1">
          <Input
            {...rest}
            {...tie}
            {...(type === 'email' && EMAIL)}
            inputSize="large"
            type={isPassword && isRevealed ? 'text' : type}
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
      )}
    </FieldFrame>
  );
}
