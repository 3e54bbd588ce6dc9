import { changePassword, type UserId } from '@mogakgong/contract';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../shared/api/index.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { focusField } from '../../shared/ui/inputs.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { Panel } from '../../shared/ui/panel.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { accountTexts } from './account-texts.ts';
import { NewPasswordFields } from './new-password-fields.tsx';
import { useSession } from './session.ts';
import { sessionsKey } from './sessions-panel.tsx';
import { useNewPasswordForm } from './use-new-password-form.ts';
import { useSocialLogins } from './use-social-logins.ts';

/** The learner's password, to view (hidden) and to edit; nothing in an account without one. */
export function PasswordPanel({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(accountTexts);
  const [isEditing, setIsEditing] = useState(false);
  const logins = useSocialLogins(userId);
  if (logins.value?.hasPassword === false) return null;
  return (
    <Panel title={t('password.title')} lead={t('password.lead')}>
      <LoadState of={logins}>
        {() =>
          isEditing ? (
            <PasswordForm userId={userId} onClose={() => setIsEditing(false)} />
          ) : (
            <div className="flex flex-wrap items-center justify-between gap-4">
              <p>
                <span aria-hidden="true">••••••••</span>
                <span className="sr-only">{t('password.hidden')}</span>
              </p>
              <Button size="small" onClick={() => setIsEditing(true)}>
                {t('password.edit')}
              </Button>
            </div>
          )
        }
      </LoadState>
    </Panel>
  );
}

interface PasswordFormProps {
  readonly userId: UserId;
  readonly onClose: () => void;
}

function PasswordForm({ userId, onClose }: PasswordFormProps) {
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
    <form ref={ref} noValidate className="grid max-w-[30rem] gap-5" onSubmit={form.submit}>
      {/* Says to password managers whose password it is. */}
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
