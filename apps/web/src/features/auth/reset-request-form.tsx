import { emailProblem, requestPasswordReset } from '@mogakgong/contract';
import { useState } from 'react';
import { call } from '../../shared/api/index.ts';
import { useForm } from '../../shared/form/use-form.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { FormDone } from '../../shared/ui/form-done.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';

/** Asks for a mail with a link that sets a new password. */
export function ResetRequestForm() {
  const { t } = useTranslation(accountTexts);
  const [result, setResult] = useState<string>();
  const form = useForm({
    initial: { email: '' },
    check: ({ email }) => emailProblem(email.trim()),
    send: async ({ email: typed }) => {
      const email = typed.trim();
      const options = { fallback: t('reset.sendFailed') };
      const { isMailed } = await call(requestPasswordReset, { body: { email } }, options);
      setResult(isMailed ? t('reset.sent', { email }) : t('reset.notMailed'));
    },
  });
  if (result !== undefined) {
    const again = () => setResult(undefined);
    return <FormDone text={result} again={t('reset.again')} onAgain={again} />;
  }
  return (
    <form {...form.props} className="grid gap-5">
      <TextField
        {...form.field('email')}
        label={t('login.email')}
        type="email"
        autoComplete="username"
      />
      <Button type="submit" variant="primary" size="large" wide loading={form.isSending}>
        {t('reset.send')}
      </Button>
    </form>
  );
}
