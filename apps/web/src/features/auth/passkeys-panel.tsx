import { type Passkey, removePasskey, type UserId } from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { queryClient } from '../../shared/api/query.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { useMoments } from '../../shared/today/use-moments.ts';
import { Button } from '../../shared/ui/button.tsx';
import { confirmed } from '../../shared/ui/confirmed.ts';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { Panel } from '../../shared/ui/panel.tsx';

import { hasPasskeys, isCancelled } from './passkey-button.tsx';
import { PasskeyRenameForm as RenameForm } from './passkey-rename-form.tsx';
import { passkeysKey, usePasskeyChange, usePasskeys } from './use-passkeys.ts';

/** The learner's passkeys: added, renamed, removed. */
export function PasskeysPanel({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(accountTexts);
  const loaded = usePasskeys(userId);
  const add = useMutation({
    mutationFn: async (name: string) => {
      const { addOwnPasskey } = await import('./passkeys.ts');
      return addOwnPasskey(name, t('passkeys.failed'));
    },
    onSuccess: (all) => {
      queryClient.setQueryData(passkeysKey(userId), all);
      notify.toast(t('passkeys.added'), 'good');
    },
    onError: (error) =>
      isCancelled(error)
        ? notify.toast(t('login.passkeyCancelled'))
        : notifyFailure(error, t('passkeys.failed')),
  });
  const number = (loaded.value?.passkeys.length ?? 0) + 1;
  return (
    <Panel
      title={t('passkeys.title')}
      lead={t('passkeys.lead')}
      actions={
        hasPasskeys() &&
        loaded.value && (
          <Button
            size="small"
            loading={add.isPending}
            onClick={() => add.mutate(t('passkeys.defaultName', { number }))}
          >
            {t('passkeys.add')}
          </Button>
        )
      }
    >
      <LoadState of={loaded}>
        {({ passkeys }) =>
          passkeys.length === 0 ? (
            <p>{t(hasPasskeys() ? 'passkeys.none' : 'passkeys.unsupported')}</p>
          ) : (
            <ul className="grid gap-4">
              {passkeys.map((passkey) => (
                <PasskeyRow key={passkey.passkeyId} userId={userId} passkey={passkey} />
              ))}
            </ul>
          )
        }
      </LoadState>
    </Panel>
  );
}

interface PasskeyRowProps {
  readonly userId: UserId;
  readonly passkey: Passkey;
}

function PasskeyRow({ userId, passkey }: PasskeyRowProps) {
  const { t } = useTranslation(accountTexts);
  const [isRenaming, setIsRenaming] = useState(false);
  const { passkeyId, name, createdAtMs, lastUsedAtMs } = passkey;
  const momentText = useMoments(userId);
  const remove = usePasskeyChange(
    userId,
    () => call(removePasskey, { params: { passkeyId } }, { fallback: t('passkeys.failed') }),
    () => notify.toast(t('passkeys.removed'), 'good'),
  );
  const askToRemove = async () => {
    const isSure = await confirmed(
      t('passkeys.removeOf', { name }),
      t('passkeys.askRemove'),
      t('passkeys.remove'),
    );
    if (isSure) remove.mutate();
  };
  if (isRenaming) {
    return (
      <li>
        <RenameForm userId={userId} passkey={passkey} onClose={() => setIsRenaming(false)} />
      </li>
    );
  }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <KeyRound size={22} aria-hidden="true" className="shrink-0 text-ink-soft" />
      <div className="min-w-0 flex-1">
        <p className="break-words font-semibold">{name}</p>
        <p className="text-ink-soft text-small">
          {lastUsedAtMs === null
            ? t('passkeys.neverUsed')
            : t('passkeys.lastUsed', { time: momentText(lastUsedAtMs) })}
          {' · '}
          {t('passkeys.created', { time: momentText(createdAtMs) })}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          aria-label={t('passkeys.renameOf', { name })}
          onClick={() => setIsRenaming(true)}
        >
          {t('passkeys.rename')}
        </Button>
        <Button
          size="small"
          aria-label={t('passkeys.removeOf', { name })}
          loading={remove.isPending}
          onClick={() => void askToRemove()}
        >
          {t('passkeys.remove')}
        </Button>
      </div>
    </li>
  );
}
