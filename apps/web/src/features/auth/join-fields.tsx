import type { Consents } from '@mogakgong/contract';
import type { FormState } from '../../shared/form/use-form.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { ConsentFields } from './consent-fields.tsx';

export function NicknameField({ form }: { readonly form: FormState<{ nickname: string }> }) {
  const { t } = useTranslation();
  return (
    <TextField
      {...form.field('nickname')}
      label={t('join.name')}
      autoComplete="nickname"
      hint={t('join.nameHint')}
    />
  );
}

/** The end of every sign-up form: consents, the form's error and the button. */
export function JoinFormEnd({ form }: { readonly form: FormState<{ consents: Consents }> }) {
  const { t } = useTranslation();
  return (
    <>
      <ConsentFields form={form} />
      <FormError {...form.formError} />
      <Button type="submit" variant="primary" size="large" wide loading={form.isSending}>
        {t('join.submit')}
      </Button>
    </>
  );
}
