import { normalizeNickname, signup } from '@mogakgong/contract';
import { Controller, FormProvider, type Resolver, useForm } from 'react-hook-form';
import { ApiError, call } from '../../shared/api/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { ConsentFields } from './consent-fields.tsx';
import { EmailField } from './email-field.tsx';
import { tableText, thrownText } from './error-text.ts';
import { FormError } from './form-error.tsx';
import { emptyJoinValues, fieldOfError, type JoinValues, joinProblems } from './join-rules.ts';

const resolver: Resolver<JoinValues> = (values) => {
  const broken = Object.entries(joinProblems(values)).map(([field, problem]) => [
    field,
    { type: problem, message: tableText(problem) },
  ]);
  return broken.length === 0
    ? { values, errors: {} }
    : { values: {}, errors: Object.fromEntries(broken) };
};

/** The sign-up form (specification §2, §5); `onJoined` hears the address of the new account. */
export function JoinForm({ onJoined }: { readonly onJoined: (email: string) => void }) {
  const { t } = useTranslation();
  const form = useForm<JoinValues>({ defaultValues: emptyJoinValues, mode: 'onTouched', resolver });
  const { errors, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async (values) => {
    const email = values.email.trim();
    try {
      const body = {
        email,
        password: values.password,
        nickname: normalizeNickname(values.nickname),
        consents: values.consents,
      };
      await call(signup, { body }, { fallback: t('join.failed') });
      onJoined(email);
    } catch (error) {
      const name = error instanceof ApiError ? error.errorName : null;
      const field = (name && fieldOfError[name]) ?? 'root';
      form.setError(field, { message: thrownText(error) }, { shouldFocus: true });
    }
  });

  return (
    <FormProvider {...form}>
      <form
        noValidate
        className="grid gap-5"
        onSubmit={(event) => !isSubmitting && void submit(event)}
      >
        <EmailField />
        <TextField
          {...form.register('password', { deps: ['passwordConfirmation'] })}
          label={t('join.password')}
          type="password"
          autoComplete="new-password"
          hint={t('join.passwordHint')}
          error={errors.password?.message}
        />
        <TextField
          {...form.register('passwordConfirmation')}
          label={t('join.passwordConfirmation')}
          type="password"
          autoComplete="new-password"
          error={errors.passwordConfirmation?.message}
        />
        <TextField
          {...form.register('nickname')}
          label={t('join.name')}
          autoComplete="nickname"
          hint={t('join.nameHint')}
          error={errors.nickname?.message}
        />
        <Controller
          name="consents"
          control={form.control}
          render={({ field }) => (
            <ConsentFields
              consents={field.value}
              error={errors.consents?.message}
              firstRef={field.ref}
              onChange={field.onChange}
            />
          )}
        />
        <FormError text={errors.root?.message} />
        <Button type="submit" variant="primary" size="large" wide loading={isSubmitting}>
          {t('join.submit')}
        </Button>
      </form>
    </FormProvider>
  );
}
