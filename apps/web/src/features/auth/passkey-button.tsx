import type { PasskeyProof } from '@mogakgong/contract';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { notify } from '../../shared/ui/notify.ts';

/** Browsers support passkeys over https and on localhost; a prerendered page assumes support. */
export const hasPasskeys = () => typeof window === 'undefined' || 'PublicKeyCredential' in window;

/** Whether the person closed the authenticator's prompt, or let it time out. */
export const isCancelled = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError');

interface PasskeyButtonProps {
  readonly label: string;
  /** Its errors are shown. */
  readonly onProof: (proof: PasskeyProof, fallback: string) => Promise<void>;
}

/**
 * Asks for a passkey; renders nothing where passkeys are unsupported. Without the query library, for /login
 * (design §8).
 */
export function PasskeyButton({ label, onProof }: PasskeyButtonProps) {
  const { t } = useTranslation();
  const [isAsking, setIsAsking] = useState(false);
  if (!hasPasskeys()) return null;
  const ask = async () => {
    setIsAsking(true);
    const fallback = t('login.passkeyFailed');
    try {
      const { askForPasskey } = await import('./passkeys.ts');
      await onProof(await askForPasskey(fallback), fallback);
    } catch (error) {
      if (isCancelled(error)) notify.toast(t('login.passkeyCancelled'));
      else notifyFailure(error, fallback);
    } finally {
      setIsAsking(false);
    }
  };
  return (
    <Button size="large" wide icon={KeyRound} loading={isAsking} onClick={() => void ask()}>
      {label}
    </Button>
  );
}
