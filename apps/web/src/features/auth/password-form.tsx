import { changePassword, type UserId } from '@mogakgong/contract';
import { useEffect, useRef } from 'react';
import { call } from '../../shared/api/index.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { focusField } from '../../shared/ui/inputs.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { TextField } from '../../shared/ui/text-field.tsx';
import { accountTexts } from './account-texts.ts';
import { NewPasswordFields } from './new-password-fields.tsx';
import { useSession } from './session.ts';
import { sessionsKey } from './sessions-panel.tsx';
import { useNewPasswordForm } from './use-new-password-form.ts';

interface PasswordFormProps {
  readonly userId: UserId;
  readonly onClose: () => void;
}

/** Changes the password, which ends the learner's other log-ins. */
export function PasswordForm({ userId, onClose }: PasswordFormProps) {
  const { t } = useTranslation(accountTexts);
  const email = useSession((session) => session.user?.email);
  const ref = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (ref.current) focusField(ref.current, 'currentPassword');
  }, []);
  const form = useNewPasswordForm(async (given, data) => {
    const body = { ...given, currentPassword: String(data.get('currentPassword') ?? '') };
    await call(changePassword, { body }, { fallback: t('password.changeFailed') });
    notify.toast(t('password.changed'), 'good');
    void queryClient.invalidateQueries({ queryKey: sessionsKey(userId) });
    onClose();
  });
  return (
    <form ref={ref} noValidate className="grid gap-5" onSubmit={form.submit}>
      <p className="text-ink-soft text-small">{t('password.lead')}</p>
      {/* Tells password managers which account the password belongs to. */}
      <input name="email" autoComplete="username" defaultValue={email} hidden />
      <TextField
        name="currentPassword"
        label={t('password.current')}
        type="password"
        autoComplete="current-password"
        error={form.errorOf('currentPassword')}
      />
      <NewPasswordFields form={form} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" loading={form.isSending}>
          {t('password.save')}
        </Button>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
      </div>
    </form>
  );
}
