import { useForm } from 'react-hook-form';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { tableText, thrownText } from './error-text.ts';
import { FormError } from './form-error.tsx';
import { logInWithEmail } from './session.ts';

interface Credentials {
  email: string;
  password: string;
}

/** Logs in with e-mail and password; the session then says so to whoever shows this form. */
export function EmailLoginForm({ email }: { readonly email: string | undefined }) {
  const { t } = useTranslation();
  const form = useForm<Credentials>({ defaultValues: { email: email ?? '', password: '' } });
  const { errors, isSubmitting } = form.formState;

  const required = (value: string) => value.trim() !== '' || tableText('loginFieldsMissing');
  const submit = form.handleSubmit(async ({ email, password }) => {
    try {
      await logInWithEmail({ email: email.trim(), password }, t('login.failed'));
    } catch (error) {
      form.setError('root', { message: thrownText(error) });
      form.setFocus('password');
    }
  });

  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={(event) => !isSubmitting && void submit(event)}
    >
      <TextField
        {...form.register('email', { validate: required })}
        label={t('login.email')}
        type="email"
        autoComplete="username"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.email?.message}
      />
      <TextField
        {...form.register('password', { validate: required })}
        label={t('login.password')}
        type="password"
        autoComplete="current-password"
        error={errors.password?.message}
      />
      <FormError text={errors.root?.message} />
      <Button type="submit" variant="primary" size="large" wide loading={isSubmitting}>
        {t('login.submit')}
      </Button>
    </form>
  );
}
