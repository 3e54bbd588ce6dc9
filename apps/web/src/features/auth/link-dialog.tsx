import { linkSocialLogin, type SocialProvider } from '@mogakgong/contract';
import { type FormEvent, useState } from 'react';
import { call, messageOf } from '../../shared/api/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { focusField } from '../../shared/ui/inputs.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { socialTexts } from './social-texts.ts';

interface LinkDialogProps {
  readonly provider: SocialProvider;
  /** The account has one, which is asked for again. */
  readonly hasPassword: boolean;
  readonly onClose: () => void;
}

/** The last step before the provider's page, which leads back to this one. */
export function LinkDialog({ provider, hasPassword, onClose }: LinkDialogProps) {
  const { t } = useTranslation(socialTexts);
  const [problem, setProblem] = useState<string>();
  const [isLeaving, setIsLeaving] = useState(false);
  const name = t(`provider.${provider}`);

  const link = async (form: HTMLFormElement) => {
    setIsLeaving(true);
    setProblem(undefined);
    const password = String(new FormData(form).get('password') ?? '');
    const request = { params: { provider }, body: { password } };
    try {
      const { url } = await call(linkSocialLogin, request, { fallback: t('logins.linkFailed') });
      window.location.assign(url);
    } catch (error) {
      setProblem(messageOf(error));
      setIsLeaving(false);
      focusField(form, 'password');
    }
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isLeaving) void link(event.currentTarget);
  };

  return (
    <Dialog title={t('logins.link', { provider: name })} onClose={onClose}>
      <form noValidate className="grid gap-5" onSubmit={onSubmit}>
        <p>{t(hasPassword ? 'logins.askPassword' : 'logins.goOn', { provider: name })}</p>
        {hasPassword && (
          <TextField
            name="password"
            label={t('login.password')}
            type="password"
            autoComplete="current-password"
          />
        )}
        <FormError text={problem} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" variant="primary" loading={isLeaving}>
            {t('logins.continue')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
