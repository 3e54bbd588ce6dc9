import { checkEmail, emailProblem } from '@mogakgong/contract';
import { useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { call } from '../../shared/api/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { tableText, thrownText } from './error-text.ts';
import type { JoinValues } from './join-rules.ts';

/** The e-mail of the sign-up form with its duplicate check (specification §2, §5). */
export function EmailField() {
  const { t } = useTranslation();
  const form = useFormContext<JoinValues>();
  const [isChecking, setIsChecking] = useState(false);
  const [freeEmail, setFreeEmail] = useState<string>();
  const error = form.formState.errors.email?.message;
  const isFree = freeEmail !== undefined && freeEmail === form.watch('email').trim();

  const check = async () => {
    const email = form.getValues('email').trim();
    const problem = emailProblem(email);
    if (problem !== null) return showProblem(tableText(problem));
    setIsChecking(true);
    try {
      await call(checkEmail, { body: { email } }, { fallback: t('join.checkFailed') });
      form.clearErrors('email');
      setFreeEmail(email);
    } catch (thrown) {
      // Typing goes on meanwhile: the answer is about the address that was asked for.
      if (form.getValues('email').trim() === email) showProblem(thrownText(thrown));
    } finally {
      setIsChecking(false);
    }
  };
  const showProblem = (message: string) => {
    setFreeEmail(undefined);
    form.setError('email', { message }, { shouldFocus: true });
  };

  return (
    <TextField
      {...form.register('email')}
      label={t('join.email')}
      type="email"
      autoComplete="email"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      error={error}
      success={isFree ? t('join.emailFree') : undefined}
      action={
        <Button loading={isChecking} onClick={() => void check()}>
          {t('join.checkEmail')}
        </Button>
      }
    />
  );
}
