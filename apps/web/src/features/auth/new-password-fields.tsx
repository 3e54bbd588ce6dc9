import type { NewPassword } from '@mogakgong/contract';
import type { FormState } from '../../shared/form/use-form.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { FormError } from '../../shared/ui/form-error.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';

/** A new password, its repetition, and the form's error. */
export function NewPasswordFields({ form }: { readonly form: FormState<NewPassword> }) {
  const { t } = useTranslation(accountTexts);
  return (
    <>
      <TextField
        {...form.field('newPassword')}
        label={t('password.new')}
        type="password"
        autoComplete="new-password"
        hint={t('join.passwordHint')}
      />
      <TextField
        {...form.field('confirmNewPassword')}
        label={t('password.confirm')}
        type="password"
        autoComplete="new-password"
      />
      <FormError {...form.formError} />
    </>
  );
}
