import { logInByPasskey } from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { PasskeyButton } from './passkey-button.tsx';
import { logInWithToken } from './session.ts';

/** Logs in by a passkey; the new session then updates the pages. */
export function PasskeyLogin() {
  const { t } = useTranslation();
  return (
    <PasskeyButton
      label={t('login.withPasskey')}
      onProof={async (passkey, fallback) => {
        const { token } = await call(logInByPasskey, { body: { passkey } }, { fallback });
        await logInWithToken(token);
      }}
    />
  );
}
