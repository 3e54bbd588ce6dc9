import { checkEmail, consentNames, emailProblem } from '@mogakgong/contract';
import { useRef, useState } from 'react';
import { call, messageOf, tableText } from '../../shared/api/index.ts';
import { richText } from '../../shared/i18n/format.tsx';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import type { TextFieldName } from './join-rules.ts';
import { type JoinFormState, useJoinForm } from './use-join-form.ts';

/** What every text field of the form is given. */
const propsOf = (form: JoinFormState, name: TextFieldName) => ({
  name,
  value: form.values[name],
  error: form.errorOf(name),
  errorId: form.isMissing(name) ? form.errorId : undefined,
  onChange: (event: { target: { value: string } }) => form.change({ [name]: event.target.value }),
  onBlur: () => form.touch(name),
});

/** The sign-up form (specification §2, §5); `onJoined` gets the address of the new account. */
export function JoinForm({ onJoined }: { readonly onJoined: (email: string) => void }) {
  const { t } = useTranslation();
  const form = useJoinForm(onJoined);
  return (
    <form noValidate className="grid gap-5" onSubmit={form.submit}>
      <EmailField form={form} />
      <TextField
        {...propsOf(form, 'password')}
        label={t('join.password')}
        type="password"
        autoComplete="new-password"
        hint={t('join.passwordHint')}
      />
      <TextField
        {...propsOf(form, 'passwordConfirmation')}
        label={t('join.passwordConfirmation')}
        type="password"
        autoComplete="new-password"
      />
      <TextField
        {...propsOf(form, 'nickname')}
        label={t('join.name')}
        autoComplete="nickname"
        hint={t('join.nameHint')}
      />
      <ConsentFields form={form} />
      <FormError id={form.errorId} text={form.errorOf('form')} />
      <Button type="submit" variant="primary" size="large" wide loading={form.isSubmitting}>
        {t('join.submit')}
      </Button>
    </form>
  );
}

/** The e-mail of the sign-up form with its duplicate check (specification §2, §5). */
function EmailField({ form }: { readonly form: JoinFormState }) {
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
      {...propsOf(form, 'email')}
      label={t('join.email')}
      type="email"
      autoComplete="email"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      success={freeEmail === email ? t('join.emailFree') : undefined}
      action={
        <Button loading={isChecking} onClick={() => void check()}>
          {t('join.checkEmail')}
        </Button>
      }
    />
  );
}

const labels = {
  age: { key: 'join.consent.age', href: undefined },
  terms: { key: 'join.consent.terms', href: paths.terms },
  privacy: { key: 'join.consent.privacy', href: paths.privacy },
} as const;

/** The three consents with a box that sets them all (specification §4). */
function ConsentFields({ form }: { readonly form: JoinFormState }) {
  const { t } = useTranslation();
  const { consents } = form.values;
  const choose = (change: Partial<typeof consents>) =>
    form.change({ consents: { ...consents, ...change } });
  const hasAll = consentNames.every((name) => consents[name]);
  return (
    <fieldset className="grid gap-3 rounded-medium border border-line bg-raised p-4">
      <legend className="sr-only">{t('join.consents')}</legend>
      <div className="border-line border-b pb-3 font-semibold">
        <Checkbox
          name="consents"
          label={t('join.consent.all')}
          checked={hasAll}
          onChange={() => choose({ age: !hasAll, terms: !hasAll, privacy: !hasAll })}
        />
      </div>
      {consentNames.map((name) => (
        <Checkbox
          key={name}
          label={richText(t(labels[name].key), {
            // Beside the form, so that nothing typed is lost.
            link: (inside) => (
              <a
                href={labels[name].href}
                target="_blank"
                rel="noopener"
                className="underline underline-offset-4"
              >
                {inside}
              </a>
            ),
          })}
          checked={consents[name]}
          onChange={(event) => choose({ [name]: event.target.checked })}
        />
      ))}
      <p role="alert" className="text-caption text-danger empty:sr-only">
        {form.errorOf('consents')}
      </p>
    </fieldset>
  );
}
