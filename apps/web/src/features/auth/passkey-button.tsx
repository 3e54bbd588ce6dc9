import type { PasskeyProof } from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
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

/** Asks for a passkey; renders nothing where passkeys are unsupported. */
export function PasskeyButton({ label, onProof }: PasskeyButtonProps) {
  const { t } = useTranslation();
  const fallback = t('login.passkeyFailed');
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const { askForPasskey } = await import('./passkeys.ts');
      return onProof(await askForPasskey(fallback), fallback);
    },
    onError(error) {
      if (isCancelled(error)) notify.toast(t('login.passkeyCancelled'));
      else notifyFailure(error, fallback);
    },
  });
  if (!hasPasskeys()) return null;
  return (
    <Button size="large" wide icon={KeyRound} loading={isPending} onClick={() => mutate()}>
      {label}
    </Button>
  );
}
