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
  /** A change needs a mail. */
  readonly isMailed: boolean;
  readonly onClose: () => void;
}

/** Changes the e-mail, or asks for the mail that does. */
export function EmailForm({ userId, email, isMailed, onClose }: EmailFormProps) {
  const { t } = useTranslation(profileTexts);
  const form = useEditForm({
    problemOf: (value) => emailProblem(value.trim()),
    save: async (value) => {
      const { pendingEmail } = await askForEmailChange(userId, value, t('email.failed'));
      notify.toast(t(pendingEmail === null ? 'email.changed' : 'email.mailed'), 'good');
      onClose();
    },
  });
  return (
    <EditForm form={form} onCancel={onClose}>
      <TextField
        ref={form.inputRef}
        label={t('email.new')}
        type="email"
        defaultValue={email}
        autoComplete="email"
        hint={t(isMailed ? 'email.mailedHint' : 'email.directHint')}
        error={form.error}
      />
    </EditForm>
  );
}
