import type { UserId } from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { EditableRow } from '../../shared/ui/editable-row.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { askForEmailChange, giveUpEmailChange, useEmailChange } from './email-change.ts';
import { EmailForm } from './email-form.tsx';

interface EmailProps {
  readonly userId: UserId;
  /** Empty in an account without one. */
  readonly email: string;
}

/** The learner's e-mail address with a form to change it, and a new one that awaits confirmation. */
export function EmailRow({ userId, email }: EmailProps) {
  const { t } = useTranslation(accountTexts);
  const { value: change } = useEmailChange(userId);
  return (
    <EditableRow
      label={t('email.label')}
      value={<p className="font-semibold">{email || t('email.none')}</p>}
      editLabel={t('email.edit')}
      note={change?.pendingEmail && <Pending userId={userId} pendingEmail={change.pendingEmail} />}
    >
      {(close) => (
        <EmailForm userId={userId} email={email} isMailed={change?.isMailed} onClose={close} />
      )}
    </EditableRow>
  );
}

interface PendingProps {
  readonly userId: UserId;
  readonly pendingEmail: string;
}

/** A new address awaiting the opening of its mail. */
function Pending({ userId, pendingEmail }: PendingProps) {
  const { t } = useTranslation(accountTexts);
  const onError = (error: unknown) => notifyFailure(error);
  const resending = useMutation({
    mutationFn: () => askForEmailChange(userId, pendingEmail, t('email.failed')),
    onSuccess: () => notify.toast(t('email.mailed'), 'good'),
    onError,
  });
  const cancelling = useMutation({
    mutationFn: () => giveUpEmailChange(userId, t('email.cancelFailed')),
    onSuccess: () => notify.toast(t('email.cancelled'), 'good'),
    onError,
  });
  const isBusy = resending.isPending || cancelling.isPending;
  return (
    <div className="grid gap-3 rounded-medium bg-lamp-wash p-4 text-small">
      <p>{t('email.pending', { email: pendingEmail })}</p>
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          loading={resending.isPending}
          onClick={() => isBusy || resending.mutate()}
        >
          {t('email.resend')}
        </Button>
        <Button
          size="small"
          variant="quiet"
          loading={cancelling.isPending}
          onClick={() => isBusy || cancelling.mutate()}
        >
          {t('email.cancel')}
        </Button>
      </div>
    </div>
  );
}
