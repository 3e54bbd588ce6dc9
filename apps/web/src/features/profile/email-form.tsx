import { emailProblem, type UserId } from '@mogakgong/contract';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { notify } from '../../shared/ui/notify.ts';
import { TextField } from '../../shared/ui/text-field.tsx';
import { EditForm, useEditForm } from './edit-form.tsx';
import { askForEmailChange } from './email-change.ts';
import { profileTexts } from './profile-texts.ts';

interface EmailFormProps {
  readonly userId: UserId;
  readonly email: string;
  /** Whether a change needs a mail; undefined while unknown. */
  readonly isMailed: boolean | undefined;
  readonly onClose: () => void;
}

/** Changes the e-mail, or requests the mail that confirms it. */
export function EmailForm({ userId, email, isMailed, onClose }: EmailFormProps) {
  const { t } = useTranslation(profileTexts);
  const hint = isMailed ? t('email.mailedHint') : t('email.directHint');
  const form = useEditForm({
    stored: email,
    problemOf: (value) => emailProblem(value.trim()),
    save: async (value) => {
      const { pendingEmail } = await askForEmailChange(userId, value, t('email.failed'));
      notify.toast(t(pendingEmail === null ? 'email.changed' : 'email.mailed'), 'good');
    },
    onSaved: onClose,
  });
  return (
    <EditForm form={form} onCancel={onClose}>
      <TextField
        ref={form.inputRef}
        label={t('email.new')}
        type="email"
        defaultValue={email}
        autoComplete="email"
        hint={isMailed === undefined ? undefined : hint}
        error={form.error}
      />
    </EditForm>
  );
}
