import { useTranslation } from '../../shared/i18n/texts.ts';
import { FormError } from '../../shared/ui/form-error.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { accountTexts } from './account-texts.ts';
import type { NewPasswordFormState } from './use-new-password-form.ts';

/** A new password, its repetition, and the form's error. */
export function NewPasswordFields({ form }: { readonly form: NewPasswordFormState }) {
  const { t } = useTranslation(accountTexts);
  return (
    <>
      <TextField
        name="newPassword"
        label={t('password.new')}
        type="password"
        autoComplete="new-password"
        hint={t('join.passwordHint')}
        error={form.errorOf('newPassword')}
      />
      <TextField
        name="confirmNewPassword"
        label={t('password.confirm')}
        type="password"
        autoComplete="new-password"
        error={form.errorOf('confirmNewPassword')}
      />
      <FormError text={form.errorOf('form')} />
    </>
  );
}
