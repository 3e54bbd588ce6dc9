import {
  cancelEmailChange,
  changeEmail,
  emailProblem,
  getEmailChange,
  type RouteReply,
  type UserId,
} from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { call, messageOf } from '../../shared/api/index.ts';
import { changeProfile, learnerKey } from '../../shared/api/profile.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { EditableRow } from '../../shared/ui/editable-row.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { TextField } from '../../shared/ui/text-field.tsx';
import { EditForm, useEditForm } from './edit-form.tsx';
import { profileTexts } from './profile-texts.ts';

type EmailChange = RouteReply<typeof getEmailChange>;

const emailChangeKey = (userId: UserId) => [...learnerKey(userId), 'email-change'];

interface EmailProps {
  readonly userId: UserId;
  /** Empty in an account without one. */
  readonly email: string;
}

/** The learner's e-mail address, to view and to edit, and a new one that waits for its mail. */
export function EmailRow({ userId, email }: EmailProps) {
  const { t } = useTranslation(profileTexts);
  const { value: change } = useLoaded(
    emailChangeKey(userId),
    (signal) => call(getEmailChange, {}, { signal }),
    // The link of the mail is opened elsewhere.
    { refetchOnWindowFocus: true },
  );
  return (
    <EditableRow
      label={t('email.label')}
      value={<p className="break-all font-semibold">{email || t('email.none')}</p>}
      editLabel={t('email.edit')}
      note={change?.pendingEmail && <Pending userId={userId} pendingEmail={change.pendingEmail} />}
    >
      {(close) => (
        <EmailForm
          userId={userId}
          email={email}
          isMailed={change?.isMailed ?? false}
          onClose={close}
        />
      )}
    </EditableRow>
  );
}

/** Asks for a change, and shows what has come of it; throws `ApiError`. */
async function askForChange(userId: UserId, newEmail: string, fallback: string) {
  const changed = await call(changeEmail, { body: { newEmail } }, { fallback });
  const { email, pendingEmail } = changed;
  queryClient.setQueryData<EmailChange>(
    emailChangeKey(userId),
    (change) => change && { ...change, pendingEmail },
  );
  changeProfile(userId, { email });
  return changed;
}

interface EmailFormProps extends EmailProps {
  readonly isMailed: boolean;
  readonly onClose: () => void;
}

function EmailForm({ userId, email, isMailed, onClose }: EmailFormProps) {
  const { t } = useTranslation(profileTexts);
  const form = useEditForm({
    problemOf: (value) => emailProblem(value.trim()),
    save: async (value) => {
      const { pendingEmail } = await askForChange(userId, value, t('email.failed'));
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

interface PendingProps {
  readonly userId: UserId;
  readonly pendingEmail: string;
}

/** A new address whose mail has not been opened yet. */
function Pending({ userId, pendingEmail }: PendingProps) {
  const { t } = useTranslation(profileTexts);
  const onError = (error: unknown) => notify.toast(messageOf(error), 'bad');
  const resending = useMutation(
    {
      mutationFn: () => askForChange(userId, pendingEmail, t('email.failed')),
      onSuccess: () => notify.toast(t('email.mailed'), 'good'),
      onError,
    },
    queryClient,
  );
  const cancelling = useMutation(
    {
      mutationFn: () => call(cancelEmailChange, {}, { fallback: t('email.cancelFailed') }),
      onSuccess: () => {
        queryClient.setQueryData<EmailChange>(
          emailChangeKey(userId),
          (change) => change && { ...change, pendingEmail: null },
        );
        notify.toast(t('email.cancelled'), 'good');
      },
      onError,
    },
    queryClient,
  );
  const isBusy = resending.isPending || cancelling.isPending;
  return (
    <div className="grid gap-3 rounded-medium bg-lamp-wash p-4 text-small">
      <p className="break-words">{t('email.pending', { email: pendingEmail })}</p>
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
