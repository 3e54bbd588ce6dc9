import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { ConsentFields } from './consent-fields.tsx';
import { fieldProps, type JoinFormState } from './use-join-form.ts';

interface JoinPartProps {
  readonly form: JoinFormState;
}

export function NicknameField({ form }: JoinPartProps) {
  const { t } = useTranslation();
  return (
    <TextField
      {...fieldProps(form, 'nickname')}
      label={t('join.name')}
      autoComplete="nickname"
      hint={t('join.nameHint')}
    />
  );
}

/** The end of every sign-up form: consents, the form's error and the button. */
export function JoinFormEnd({ form }: JoinPartProps) {
  const { t } = useTranslation();
  return (
    <>
      <ConsentFields
        consents={form.values.consents}
        onChange={(consents) => form.change({ consents })}
        error={form.errorOf('consents')}
      />
      <FormError id={form.errorId} text={form.errorOf('form')} />
      <Button type="submit" variant="primary" size="large" wide loading={form.isSubmitting}>
        {t('join.submit')}
      </Button>
    </>
  );
}
