import {
  PASSKEY_NAME_MAX_LENGTH,
  type Passkey,
  renamePasskey,
  type UserId,
} from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { useForm } from '../../shared/form/use-form.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';

import { usePasskeyChange } from './use-passkeys.ts';

interface PasskeyRenameFormProps {
  readonly userId: UserId;
  readonly passkey: Passkey;
  readonly onClose: () => void;
}

/** Renames a passkey. */
export function PasskeyRenameForm({ userId, passkey, onClose }: PasskeyRenameFormProps) {
  const { t } = useTranslation(accountTexts);
  const rename = usePasskeyChange(
    userId,
    (name: string) => {
      const request = { params: { passkeyId: passkey.passkeyId }, body: { name } };
      return call(renamePasskey, request, { fallback: t('passkeys.failed') });
    },
    onClose,
  );
  const form = useForm({
    initial: { name: passkey.name },
    focus: 'name',
    send: async ({ name: typed }) => {
      const name = typed.trim();
      if (name === '' || name === passkey.name) onClose();
      else await rename.mutateAsync(name);
    },
  });
  return (
    <form {...form.props} className="flex flex-wrap items-start gap-2">
      <div className="min-w-48 flex-1">
        <TextField
          {...form.field('name')}
          label={t('passkeys.name')}
          maxLength={PASSKEY_NAME_MAX_LENGTH}
        />
      </div>
      <div className="flex gap-2 pt-7">
        <Button type="submit" variant="primary" loading={form.isSending}>
          {t('passkeys.save')}
        </Button>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
      </div>
    </form>
  );
}
