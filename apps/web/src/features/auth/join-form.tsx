import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { ConsentFields } from './consent-fields.tsx';
import { EmailField } from './email-field.tsx';
import { useJoinForm } from './use-join-form.ts';

/** The sign-up form (specification §2, §5); `onJoined` hears the address of the new account. */
export function JoinForm({ onJoined }: { readonly onJoined: (email: string) => void }) {
  const { t } = useTranslation();
  const form = useJoinForm(onJoined);
  const field = (name: 'password' | 'passwordConfirmation' | 'nickname') => ({
    name,
    value: form.values[name],
    error: form.errorOf(name),
    errorId: form.isMissing(name) ? form.errorId : undefined,
    onChange: (event: { target: { value: string } }) => form.change({ [name]: event.target.value }),
    onBlur: () => form.touch(name),
  });
  return (
    <form noValidate className="grid gap-5" onSubmit={form.submit}>
      <EmailField form={form} />
      <TextField
        {...field('password')}
        label={t('join.password')}
        type="password"
        autoComplete="new-password"
        hint={t('join.passwordHint')}
      />
      <TextField
        {...field('passwordConfirmation')}
        label={t('join.passwordConfirmation')}
        type="password"
        autoComplete="new-password"
      />
      <TextField
        {...field('nickname')}
        label={t('join.name')}
        autoComplete="nickname"
        hint={t('join.nameHint')}
      />
      <ConsentFields
        consents={form.values.consents}
        error={form.errorOf('consents')}
        onChange={(consents) => form.change({ consents })}
      />
      <FormError id={form.errorId} text={form.errorOf('form')} />
      <Button type="submit" variant="primary" size="large" wide loading={form.isSubmitting}>
        {t('join.submit')}
      </Button>
    </form>
  );
}
