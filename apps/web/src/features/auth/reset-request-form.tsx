import { emailProblem, requestPasswordReset } from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call, messageOf, tableText } from '../../shared/api/index.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { FormDone } from '../../shared/ui/form-done.tsx';
import { focusField } from '../../shared/ui/inputs.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { accountTexts } from './account-texts.ts';

/** Asks for a mail with a link that sets a new password. */
export function ResetRequestForm() {
  const { t } = useTranslation(accountTexts);
  const [problem, setProblem] = useState<string>();
  const { mutate, data, variables, isPending, reset } = useMutation(
    {
      mutationFn: (email: string) =>
        call(requestPasswordReset, { body: { email } }, { fallback: t('reset.sendFailed') }),
      onError: (error) => setProblem(messageOf(error)),
    },
    queryClient,
  );
  if (data) {
    const text = data.isMailed ? t('reset.sent', { email: variables }) : t('reset.notMailed');
    return <FormDone text={text} again={t('reset.again')} onAgain={reset} />;
  }

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isPending) return;
    const form = event.currentTarget;
    const email = String(new FormData(form).get('email') ?? '').trim();
    const broken = emailProblem(email);
    setProblem(broken ? tableText(broken) : undefined);
    if (broken) focusField(form, 'email');
    else mutate(email);
  };
  return (
    <form noValidate className="grid gap-5" onSubmit={submit}>
      <TextField
        name="email"
        label={t('login.email')}
        type="email"
        autoComplete="username"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        error={problem}
      />
      <Button type="submit" variant="primary" size="large" wide loading={isPending}>
        {t('reset.send')}
      </Button>
    </form>
  );
}
