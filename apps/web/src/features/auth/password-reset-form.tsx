import { finishPasswordReset } from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { accountTexts } from './account-texts.ts';
import { NewPasswordFields } from './new-password-fields.tsx';
import { useNewPasswordForm } from './use-new-password-form.ts';

interface PasswordResetFormProps {
  readonly token: string;
  readonly onDone: () => void;
  /** Leads to another mail. */
  readonly onStartAgain: () => void;
}

/** Sets a new password by the token of a mailed link. */
export function PasswordResetForm({ token, onDone, onStartAgain }: PasswordResetFormProps) {
  const { t } = useTranslation(accountTexts);
  const form = useNewPasswordForm(async (given) => {
    const body = { token, ...given };
    await call(finishPasswordReset, { body }, { fallback: t('password.changeFailed') });
    onDone();
  });
  return (
    <form noValidate className="grid gap-5" onSubmit={form.submit}>
      <NewPasswordFields form={form} />
      <Button type="submit" variant="primary" size="large" wide loading={form.isSending}>
        {t('reset.save')}
      </Button>
      {form.errorOf('form') !== undefined && (
        <Button onClick={onStartAgain}>{t('reset.title')}</Button>
      )}
    </form>
  );
}
