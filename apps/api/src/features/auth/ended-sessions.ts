import { ACCESS_TOKEN_SECONDS } from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';

/**
 * The log-ins that ended so lately that an access token of theirs may still be unexpired. Kept in
 * memory, so that no request asks the database; filled again from it at start.
 */
export function createEndedSessions(clock: Clock) {
  const endedAtMs = new Map<string, number>();

  function forgetOld(): void {
    const oldestMs = clock.now().getTime() - ACCESS_TOKEN_SECONDS * 1_000;
    for (const [sessionId, atMs] of endedAtMs) {
      if (atMs >= oldestMs) break;
      endedAtMs.delete(sessionId);
    }
  }

  return {
    add(sessionId: string, endedAt: Date = clock.now()): void {
      forgetOld();
      endedAtMs.set(sessionId, endedAt.getTime());
    },
    has: (sessionId: string): boolean => endedAtMs.has(sessionId),
  };
}

export type EndedSessions = ReturnType<typeof createEndedSessions>;
