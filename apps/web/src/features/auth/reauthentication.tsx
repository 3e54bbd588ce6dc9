import type { UserId } from '@mogakgong/contract';
import { useEffect, useState } from 'react';
import { onLogInNotRecent } from '../../shared/api/index.ts';
import { onDemand } from '../../shared/ui/on-demand.tsx';

const ReauthenticationDialog = onDemand(
  async () => (await import('./reauthentication-dialog.tsx')).ReauthenticationDialog,
);

/** Asks learners to show who they are where a call needs a recent log-in. Once in the application. */
export function Reauthentication({ userId }: { readonly userId: UserId }) {
  const [answer, setAnswer] = useState<((isShown: boolean) => void) | null>(null);
  useEffect(() => {
    let asking: Promise<boolean> | null = null;
    return onLogInNotRecent(() => {
      // Several calls at the same time are answered by one dialog.
      asking ??= new Promise<boolean>((resolve) => setAnswer(() => resolve)).finally(() => {
        asking = null;
        setAnswer(null);
      });
      return asking;
    });
  }, []);
  return answer && <ReauthenticationDialog userId={userId} onAnswer={answer} />;
}
