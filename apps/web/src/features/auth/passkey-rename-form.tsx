import {
  PASSKEY_NAME_MAX_LENGTH,
  type Passkey,
  renamePasskey,
  type UserId,
} from '@mogakgong/contract';
import { type FormEvent, useEffect, useRef } from 'react';
import { call, messageOf } from '../../shared/api/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { focusField } from '../../shared/ui/inputs.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { factorTexts } from './factor-texts.ts';
import { usePasskeyChange } from './use-passkeys.ts';

interface PasskeyRenameFormProps {
  readonly userId: UserId;
  readonly passkey: Passkey;
  readonly onClose: () => void;
}

/** Renames a passkey. */
export function PasskeyRenameForm({ userId, passkey, onClose }: PasskeyRenameFormProps) {
  const { t } = useTranslation(factorTexts);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (form.current) focusField(form.current, 'name');
  }, []);
  const rename = usePasskeyChange(
    userId,
    (name: string) => {
      const request = { params: { passkeyId: passkey.passkeyId }, body: { name } };
      return call(renamePasskey, request, { fallback: t('passkeys.failed') });
    },
    onClose,
  );
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name') ?? '').trim();
    if (name === '' || name === passkey.name) onClose();
    else if (!rename.isPending) rename.mutate(name);
  };
  return (
    <form ref={form} noValidate className="flex flex-wrap items-start gap-2" onSubmit={onSubmit}>
      <div className="min-w-48 flex-1">
        <TextField
          name="name"
          label={t('passkeys.name')}
          defaultValue={passkey.name}
          maxLength={PASSKEY_NAME_MAX_LENGTH}
          error={rename.error ? messageOf(rename.error) : undefined}
        />
      </div>
      <div className="flex gap-2 pt-7">
        <Button type="submit" variant="primary" loading={rename.isPending}>
          {t('passkeys.save')}
        </Button>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
      </div>
    </form>
  );
}
