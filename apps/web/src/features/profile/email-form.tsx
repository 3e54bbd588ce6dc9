import { emailProblem, type UserId } from '@mogakgong/contract';
import { useForm } from '../../shared/form/use-form.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { notify } from '../../shared/ui/notify.ts';
import { TextField } from '../../shared/ui/text-field.tsx';
import { EditForm } from './edit-form.tsx';
import { askForEmailChange } from './email-change.ts';

interface EmailFormProps {
  readonly userId: UserId;
  readonly email: string;
  /** Whether a change needs a mail; undefined while unknown. */
  readonly isMailed: boolean | undefined;
  readonly onClose: () => void;
}

/** Changes the e-mail, or requests the mail that confirms it. */
export function EmailForm({ userId, email, isMailed, onClose }: EmailFormProps) {
  const { t } = useTranslation(accountTexts);
  const hint = isMailed ? t('email.mailedHint') : t('email.directHint');
  const form = useForm({
    initial: { email },
    focus: 'email',
    check: (typed) => emailProblem(typed.email.trim()),
    send: async ({ email: typed }) => {
      if (typed.trim() !== email) {
        const { pendingEmail } = await askForEmailChange(userId, typed, t('email.failed'));
        notify.toast(t(pendingEmail === null ? 'email.changed' : 'email.mailed'), 'good');
      }
      onClose();
    },
  });
  return (
    <EditForm form={form} onCancel={onClose}>
      <TextField
        {...form.field('email')}
        label={t('email.new')}
        type="email"
        autoComplete="email"
        hint={isMailed === undefined ? undefined : hint}
      />
    </EditForm>
  );
}
