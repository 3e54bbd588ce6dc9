import { type FormEvent, useState } from 'react';
import { messageOf, tableText } from '../../shared/api/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { focusField } from '../../shared/ui/inputs.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { logInWithEmail } from './session.ts';

const fields = ['email', 'password'] as const;
type Field = (typeof fields)[number];

interface EmailLoginFormProps {
  /** Filled in after sign-up, so that only the password is left to type. */
  readonly email: string | undefined;
  /** The account has a second factor. */
  readonly onSecondFactor: () => void;
}

/** Logs in with e-mail and password; the new session then updates the pages. */
export function EmailLoginForm({ email, onSecondFactor }: EmailLoginFormProps) {
  const { t } = useTranslation();
  const [missing, setMissing] = useState<readonly Field[]>([]);
  const [problem, setProblem] = useState<string>();
  const [isSubmitting, setIsSubmitting] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSubmitting) return;
    const form = event.currentTarget;
    const data = new FormData(form);
    const value = (field: Field) => String(data.get(field) ?? '');
    const empty = fields.filter((field) => value(field).trim() === '');
    setMissing(empty);
    setProblem(undefined);
    if (empty[0]) return focusField(form, empty[0]);
    setIsSubmitting(true);
    try {
      const credentials = { email: value('email').trim(), password: value('password') };
      if (!(await logInWithEmail(credentials, t('login.failed')))) onSecondFactor();
    } catch (error) {
      setProblem(messageOf(error));
      focusField(form, 'password');
    } finally {
      setIsSubmitting(false);
    }
  };
  const field = (name: Field) => ({
    name,
    error: missing.includes(name) ? tableText('loginFieldsMissing') : undefined,
    onChange: () => setMissing((before) => before.filter((other) => other !== name)),
  });

  return (
    <form noValidate className="grid gap-5" onSubmit={(event) => void submit(event)}>
      <TextField
        {...field('email')}
        defaultValue={email}
        label={t('login.email')}
        type="email"
        autoComplete="username"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
      />
      <TextField
        {...field('password')}
        label={t('login.password')}
        type="password"
        autoComplete="current-password"
        autoFocus={email !== undefined}
      />
      <FormError text={problem} />
      <Button type="submit" variant="primary" size="large" wide loading={isSubmitting}>
        {t('login.submit')}
      </Button>
    </form>
  );
}
