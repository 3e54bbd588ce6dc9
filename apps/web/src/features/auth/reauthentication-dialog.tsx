import { reauthenticate, type UserId } from '@mogakgong/contract';
import type { ReactNode } from 'react';
import { ApiError, call } from '../../shared/api/index.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';

import { PasskeyButton } from './passkey-button.tsx';
import { SecretForm } from './secret-form.tsx';
import { SocialButtons } from './social-buttons.tsx';
import { usePasskeys } from './use-passkeys.ts';
import { useSecondFactor } from './use-second-factor.ts';
import { useSocialLogins } from './use-social-logins.ts';

interface ReauthenticationDialogProps {
  readonly userId: UserId;
  /** Called once: whether the learner has proved their identity. */
  readonly onAnswer: (isShown: boolean) => void;
}

/**
 * Asks for the password again, or for a code where that is needed to log in. A learner without either logs in again
 * by their provider.
 */
export function ReauthenticationDialog({ userId, onAnswer }: ReauthenticationDialogProps) {
  const { t } = useTranslation(accountTexts);
  const logins = useSocialLogins(userId);
  const secondFactor = useSecondFactor(userId);
  const passkeys = usePasskeys(userId);
  const { href, origin } = window.location;
  const cancel = <Button onClick={() => onAnswer(false)}>{t('common.cancel')}</Button>;
  return (
    <Dialog title={t('reauthentication.title')} onClose={() => onAnswer(false)}>
      <LoadState of={logins}>
        {({ hasPassword, logins: linked }) => (
          <LoadState of={secondFactor}>
            {({ isOn }) =>
              hasPassword || isOn ? (
                <Proof
                  key={String(isOn)}
                  kind={isOn ? 'code' : 'password'}
                  cancel={cancel}
                  onDone={() => onAnswer(true)}
                  onCodeNeeded={() => secondFactor.reload()}
                />
              ) : (
                <div className="grid gap-5">
                  <p>{t('reauthentication.askProvider')}</p>
                  <SocialButtons
                    next={href.slice(origin.length)}
                    only={linked.map(({ provider }) => provider)}
                  />
                  {cancel}
                </div>
              )
            }
          </LoadState>
        )}
      </LoadState>
      {!!passkeys.value?.passkeys.length && (
        <div className="pt-4">
          <PasskeyButton
            label={t('reauthentication.usePasskey')}
            onProof={async (passkey, fallback) => {
              await call(reauthenticate, { body: { passkey } }, { fallback });
              onAnswer(true);
            }}
          />
        </div>
      )}
    </Dialog>
  );
}

interface ProofProps {
  readonly kind: 'code' | 'password';
  readonly cancel: ReactNode;
  readonly onDone: () => void;
  /** Called when log-ins need a code, which this page did not know. */
  readonly onCodeNeeded: () => void;
}

function Proof({ kind, cancel, onDone, onCodeNeeded }: ProofProps) {
  const { t } = useTranslation(accountTexts);
  const isCode = kind === 'code';
  return (
    <div className="grid gap-5">
      <p>{isCode ? t('reauthentication.askCode') : t('reauthentication.askPassword')}</p>
      <SecretForm
        kind={kind}
        label={isCode ? t('code.label') : t('login.password')}
        hint={isCode ? t('code.hint') : undefined}
        submitLabel={t('common.confirm')}
        send={async (secret) => {
          const fallback = t('reauthentication.failed');
          try {
            await call(reauthenticate, { body: { [kind]: secret } }, { fallback });
          } catch (error) {
            const isNeeded = error instanceof ApiError && error.errorName === 'secondFactorNeeded';
            if (isNeeded) onCodeNeeded();
            throw error;
          }
        }}
        onDone={onDone}
        actions={cancel}
      />
    </div>
  );
}
