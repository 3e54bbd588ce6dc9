import { finishPasswordReset } from '@mogakgong/contract';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../shared/api/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { focusField } from '../../shared/ui/inputs.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { accountTexts } from './account-texts.ts';
import { NewPasswordFields } from './new-password-fields.tsx';
import { useNewPasswordForm } from './use-new-password-form.ts';

interface PasswordResetFormProps {
  readonly token: string;
  readonly onDone: () => Promise<void>;
  /** Leads to the request for another mail. */
  readonly onStartAgain: () => void;
}

/** Sets a new password with the token of a mailed link. */
export function PasswordResetForm({ token, onDone, onStartAgain }: PasswordResetFormProps) {
  const { t } = useTranslation(accountTexts);
  const ref = useRef<HTMLFormElement>(null);
  const [asksCode, setAsksCode] = useState(false);
  const form = useNewPasswordForm(async (given, data) => {
    const body = { token, ...given, ...(asksCode && { code: String(data.get('code') ?? '') }) };
    await call(finishPasswordReset, { body }, { fallback: t('password.changeFailed') });
    await onDone();
  });
  const codeError = form.errorOf('code');
  if (codeError !== undefined && !asksCode) setAsksCode(true);
  useEffect(() => {
    if (asksCode && ref.current) focusField(ref.current, 'code');
  }, [asksCode]);
  return (
    <form ref={ref} noValidate className="grid gap-5" onSubmit={form.submit}>
      <NewPasswordFields form={form} />
      {asksCode && (
        <TextField
          name="code"
          label={t('reset.code')}
          autoComplete="one-time-code"
          spellCheck={false}
          hint={t('reset.codeHint')}
          error={codeError}
        />
      )}
      <Button type="submit" variant="primary" size="large" wide loading={form.isSending}>
        {t('reset.save')}
      </Button>
      {form.errorOf('form') !== undefined && (
        <Button onClick={onStartAgain}>{t('reset.title')}</Button>
      )}
    </form>
  );
}
