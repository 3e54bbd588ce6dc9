import { confirmEmail } from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { call, messageOf } from '../../shared/api/index.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';

interface ConfirmEmailFormProps {
  /** From the mailed link. */
  readonly token: string;
  readonly onDone: (email: string) => void;
}

/** The press that changes an address: a mail program that opens links by itself changes nothing. */
export function ConfirmEmailForm({ token, onDone }: ConfirmEmailFormProps) {
  const { t } = useTranslation(accountTexts);
  const fallback = t('email.failed');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(confirmEmail, { body: { token } }, { fallback }),
    onSuccess: ({ email }) => onDone(email),
  });
  return (
    <div className="grid gap-5">
      <FormError text={error ? messageOf(error, fallback) : undefined} />
      <Button variant="primary" size="large" wide loading={isPending} onClick={() => mutate()}>
        {t('email.confirm')}
      </Button>
    </div>
  );
}
