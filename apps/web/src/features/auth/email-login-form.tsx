import { tableText } from '../../shared/api/index.ts';
import { useForm } from '../../shared/form/use-form.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { logInWithEmail } from './session.ts';

interface EmailLoginFormProps {
  /** Filled in after sign-up, so that only the password is left to type. */
  readonly email: string | undefined;
  /** The account has a second factor. */
  readonly onSecondFactor: () => void;
}

/** Logs in with e-mail and password; the new session then updates the pages. */
export function EmailLoginForm({ email, onSecondFactor }: EmailLoginFormProps) {
  const { t } = useTranslation();
  const form = useForm({
    initial: { email: email ?? '', password: '' },
    focus: email === undefined ? undefined : 'password',
    check: (typed) => ({ email: missing(typed.email), password: missing(typed.password) }),
    send: async ({ email: typed, password }) => {
      const credentials = { email: typed.trim(), password };
      if (!(await logInWithEmail(credentials, t('login.failed')))) onSecondFactor();
    },
  });
  return (
    <form {...form.props} className="grid gap-5">
      <TextField
        {...form.field('email')}
        label={t('login.email')}
        type="email"
        autoComplete="username"
      />
      <TextField
        {...form.field('password')}
        label={t('login.password')}
        type="password"
        autoComplete="current-password"
      />
      <FormError {...form.formError} />
      <Button type="submit" variant="primary" size="large" wide loading={form.isSending}>
        {t('login.submit')}
      </Button>
    </form>
  );
}

const missing = (text: string) =>
  text.trim() === '' ? tableText('loginFieldsMissing') : undefined;
