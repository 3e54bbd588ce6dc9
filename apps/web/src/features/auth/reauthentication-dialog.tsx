import { reauthenticate, type UserId } from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef } from 'react';
import { call, messageOf } from '../../shared/api/index.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { focusField } from '../../shared/ui/inputs.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { accountTexts } from './account-texts.ts';
import { SocialButtons } from './social-buttons.tsx';
import { useSocialLogins } from './use-social-logins.ts';

interface ReauthenticationDialogProps {
  readonly userId: UserId;
  /** Called once: whether the learner has shown who they are. */
  readonly onAnswer: (isShown: boolean) => void;
}

/** Asks for the password again; accounts without one log in again by their provider. */
export function ReauthenticationDialog({ userId, onAnswer }: ReauthenticationDialogProps) {
  const { t } = useTranslation(accountTexts);
  const logins = useSocialLogins(userId);
  const { href, origin } = window.location;
  return (
    <Dialog title={t('reauthentication.title')} onClose={() => onAnswer(false)}>
      <LoadState of={logins}>
        {({ hasPassword, logins: linked }) =>
          hasPassword ? (
            <PasswordProof onAnswer={onAnswer} />
          ) : (
            <div className="grid gap-5">
              <p>{t('reauthentication.askProvider')}</p>
              <SocialButtons
                next={href.slice(origin.length)}
                only={linked.map(({ provider }) => provider)}
              />
              <Button onClick={() => onAnswer(false)}>{t('common.cancel')}</Button>
            </div>
          )
        }
      </LoadState>
    </Dialog>
  );
}

const focusPassword = (form: HTMLFormElement | null) => form && focusField(form, 'password');

function PasswordProof({ onAnswer }: Pick<ReauthenticationDialogProps, 'onAnswer'>) {
  const { t } = useTranslation(accountTexts);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => void focusPassword(form.current), []);
  const { mutate, isPending, error } = useMutation(
    {
      mutationFn: (password: string) =>
        call(reauthenticate, { body: { password } }, { fallback: t('reauthentication.failed') }),
      onSuccess: () => onAnswer(true),
      onError: () => focusPassword(form.current),
    },
    queryClient,
  );
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isPending) mutate(String(new FormData(event.currentTarget).get('password') ?? ''));
  };

  return (
    <form ref={form} noValidate className="grid gap-5" onSubmit={onSubmit}>
      <p>{t('reauthentication.askPassword')}</p>
      <TextField
        name="password"
        label={t('login.password')}
        type="password"
        autoComplete="current-password"
        error={error ? messageOf(error) : undefined}
      />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={() => onAnswer(false)}>{t('common.cancel')}</Button>
        <Button type="submit" variant="primary" loading={isPending}>
          {t('common.confirm')}
        </Button>
      </div>
    </form>
  );
}
