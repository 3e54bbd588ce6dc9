import { changePassword, newPasswordProblem, type UserId } from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useForm } from '../../shared/form/use-form.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { TextField } from '../../shared/ui/text-field.tsx';

import { NewPasswordFields } from './new-password-fields.tsx';
import { useSession } from './session.ts';
import { sessionsKey } from './sessions-panel.tsx';

interface PasswordFormProps {
  readonly userId: UserId;
  readonly onClose: () => void;
}

/** Changes the password, which ends the learner's other log-ins. */
export function PasswordForm({ userId, onClose }: PasswordFormProps) {
  const { t } = useTranslation(accountTexts);
  const email = useSession((session) => session.user?.email);
  const form = useForm({
    initial: { currentPassword: '', newPassword: '', confirmNewPassword: '' },
    focus: 'currentPassword',
    check: newPasswordProblem,
    send: async (body) => {
      await call(changePassword, { body }, { fallback: t('password.changeFailed') });
      notify.toast(t('password.changed'), 'good');
      void queryClient.invalidateQueries({ queryKey: sessionsKey(userId) });
      onClose();
    },
  });
  return (
    <form {...form.props} className="grid gap-5">
      <p className="text-ink-soft text-small">{t('password.lead')}</p>
      {/* Tells password managers which account the password belongs to. */}
      <input name="email" autoComplete="username" defaultValue={email} hidden />
      <TextField
        {...form.field('currentPassword')}
        label={t('password.current')}
        type="password"
        autoComplete="current-password"
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
