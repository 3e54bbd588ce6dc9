import {
  checkEmail,
  DEFAULT_INTRODUCTION,
  DEFAULT_PROFILE_IMAGE,
  emailProblem,
  normalizeNickname,
  signup,
} from '@mogakgong/contract';
import { useRef, useState } from 'react';
import { call, messageOf, tableText } from '../../shared/api/index.ts';
import { type FormState, useForm } from '../../shared/form/use-form.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { JoinFormEnd, NicknameField } from './join-fields.tsx';
import { emptyJoinValues, type JoinValues, joinErrors } from './join-rules.ts';

/** The log-in data of the new account. */
export type Credentials = Readonly<Pick<JoinValues, 'email' | 'password'>>;

interface JoinFormProps {
  readonly onJoined: (credentials: Credentials) => void;
}

/** The sign-up form (specification §2, §5). */
export function JoinForm({ onJoined }: JoinFormProps) {
  const { t } = useTranslation();
  const form = useForm({
    initial: emptyJoinValues,
    mode: 'leave',
    check: joinErrors,
    send: async ({ email, password, nickname, consents }) => {
      const body = {
        email: email.trim(),
        password,
        nickname: normalizeNickname(nickname),
        introduction: DEFAULT_INTRODUCTION,
        profileImage: DEFAULT_PROFILE_IMAGE,
        socialProvider: 'LOCAL',
        consents,
      } as const;
      await call(signup, { body }, { fallback: t('join.failed') });
      onJoined({ email: body.email, password });
    },
  });
  return (
    <form {...form.props} className="grid gap-5">
      <EmailField form={form} />
      <TextField
        {...form.field('password')}
        label={t('join.password')}
        type="password"
        autoComplete="new-password"
        hint={t('join.passwordHint')}
      />
      <TextField
        {...form.field('passwordConfirmation')}
        label={t('join.passwordConfirmation')}
        type="password"
        autoComplete="new-password"
      />
      <NicknameField form={form} />
      <JoinFormEnd form={form} />
    </form>
  );
}

/** The e-mail of the sign-up form with its duplicate check (specification §2, §5). */
function EmailField({ form }: { readonly form: FormState<JoinValues> }) {
  const { t } = useTranslation();
  const [isChecking, setIsChecking] = useState(false);
  const [freeEmail, setFreeEmail] = useState<string>();
  const email = form.values.email.trim();
  const inputRef = useRef<HTMLInputElement>(null);

  const showProblem = (text: string) => {
    setFreeEmail(undefined);
    form.showError('email', text);
    inputRef.current?.focus();
  };
  const check = async () => {
    const problem = emailProblem(email);
    if (problem !== null) return showProblem(tableText(problem));
    setIsChecking(true);
    // Typing may go on meanwhile; the answer is about the address that was checked.
    const isStill = () => inputRef.current?.value.trim() === email;
    try {
      await call(checkEmail, { body: { email } }, { fallback: t('join.checkFailed') });
      if (isStill()) form.showError('email', undefined);
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
      {...form.field('email')}
      label={t('join.email')}
      type="email"
      autoComplete="email"
      success={freeEmail === email ? t('join.emailFree') : undefined}
      action={
        <Button loading={isChecking} onClick={() => void check()}>
          {t('join.checkEmail')}
        </Button>
      }
    />
  );
}
