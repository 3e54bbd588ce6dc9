import type { UserId } from '@mogakgong/contract';
import { useProfile } from '../../shared/api/profile.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { EditableRow } from '../../shared/ui/editable-row.tsx';
import { PasswordForm } from './password-form.tsx';

/** The learner's password, hidden, with a form to change it; nothing in an account without one. */
export function PasswordRow({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(accountTexts);
  const profile = useProfile(userId);
  if (profile?.hasPassword === false) return null;
  return (
    <EditableRow
      label={t('password.title')}
      value={
        <p>
          <span aria-hidden="true">••••••••</span>
          <span className="sr-only">{t('password.hidden')}</span>
        </p>
      }
      editLabel={t('password.edit')}
    >
      {(close) => <PasswordForm userId={userId} onClose={close} />}
    </EditableRow>
  );
}
