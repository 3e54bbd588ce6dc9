import type { UserId } from '@mogakgong/contract';
import { useEffect, useState } from 'react';
import { onLogInNotRecent } from '../../shared/api/index.ts';
import { onDemand } from '../../shared/ui/on-demand.tsx';

const ReauthenticationDialog = onDemand(
  async () => (await import('./reauthentication-dialog.tsx')).ReauthenticationDialog,
);

/** Asks learners to prove their identity where a call needs a recent log-in. Mounted once. */
export function Reauthentication({ userId }: { readonly userId: UserId }) {
  const [answer, setAnswer] = useState<((isShown: boolean) => void) | null>(null);
  useEffect(() => {
    let asking: Promise<boolean> | null = null;
    return onLogInNotRecent(() => {
      // One dialog answers several calls at the same time.
      asking ??= new Promise<boolean>((resolve) => setAnswer(() => resolve)).finally(() => {
        asking = null;
        setAnswer(null);
      });
      return asking;
    });
  }, []);
  return answer && <ReauthenticationDialog userId={userId} onAnswer={answer} />;
}
