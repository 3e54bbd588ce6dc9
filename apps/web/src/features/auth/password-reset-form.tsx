import { finishPasswordReset, newPasswordProblem } from '@mogakgong/contract';
import { useState } from 'react';
import { call } from '../../shared/api/index.ts';
import { useForm } from '../../shared/form/use-form.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';

import { NewPasswordFields } from './new-password-fields.tsx';

interface PasswordResetFormProps {
  readonly token: string;
  readonly onDone: () => Promise<void>;
  /** Leads to the request for another mail. */
  readonly onStartAgain: () => void;
}

/** Sets a new password with the token of a mailed link. */
export function PasswordResetForm({ token, onDone, onStartAgain }: PasswordResetFormProps) {
  const { t } = useTranslation(accountTexts);
  const [asksCode, setAsksCode] = useState(false);
  const form = useForm({
    initial: { newPassword: '', confirmNewPassword: '', code: '' },
    focus: asksCode ? 'code' : undefined,
    check: newPasswordProblem,
    send: async ({ code, ...given }) => {
      const body = { token, ...given, ...(asksCode && { code }) };
      await call(finishPasswordReset, { body }, { fallback: t('password.changeFailed') });
      await onDone();
    },
  });
  if (form.errorOf('code') !== undefined && !asksCode) setAsksCode(true);
  return (
    <form {...form.props} className="grid gap-5">
      <NewPasswordFields form={form} />
      {asksCode && (
        <TextField
          {...form.field('code')}
          label={t('reset.code')}
          autoComplete="one-time-code"
          spellCheck={false}
          hint={t('reset.codeHint')}
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
