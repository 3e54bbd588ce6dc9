import type { UserId } from '@mogakgong/contract';
import { useEffect } from 'react';
import { UnsentStore } from './outbox.ts';

/** Asks before the tab closes or reloads while a message has not been sent. */
export function useUnsentWarning(userId: UserId): void {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (new UnsentStore(userId).messages().length > 0) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [userId]);
}
