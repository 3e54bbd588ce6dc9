import { checkEmail, emailProblem } from '@mogakgong/contract';
import { useRef, useState } from 'react';
import { call, messageOf } from '../../shared/api/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { tableText } from './error-text.ts';
import type { JoinFormState } from './use-join-form.ts';

/** The e-mail of the sign-up form with its duplicate check (specification §2, §5). */
export function EmailField({ form }: { readonly form: JoinFormState }) {
  const { t } = useTranslation();
  const [isChecking, setIsChecking] = useState(false);
  const [freeEmail, setFreeEmail] = useState<string>();
  const email = form.values.email.trim();
  const inputRef = useRef<HTMLInputElement>(null);

  const showProblem = (text: string) => {
    setFreeEmail(undefined);
    form.answer({ field: 'email', text });
    inputRef.current?.focus();
  };
  const check = async () => {
    const problem = emailProblem(email);
    if (problem !== null) return showProblem(tableText(problem));
    setIsChecking(true);
    // Typing may go on meanwhile: the answer is about the address that was asked for.
    const isStill = () => inputRef.current?.value.trim() === email;
    try {
      await call(checkEmail, { body: { email } }, { fallback: t('join.checkFailed') });
      if (isStill()) form.answer(null);
      setFreeEmail(email);
    } catch (error) {
      if (isStill()) showProblem(messageOf(error));
    } finally {
      setIsChecking(false);
    }
  };

  return (
    <TextField
      ref={inputRef}
      name="email"
      value={form.values.email}
      onChange={(event) => form.change({ email: event.target.value })}
      onBlur={() => form.touch('email')}
      label={t('join.email')}
      type="email"
      autoComplete="email"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      error={form.errorOf('email')}
      errorId={form.isMissing('email') ? form.errorId : undefined}
      success={freeEmail === email ? t('join.emailFree') : undefined}
      action={
        <Button loading={isChecking} onClick={() => void check()}>
          {t('join.checkEmail')}
        </Button>
      }
    />
  );
}
