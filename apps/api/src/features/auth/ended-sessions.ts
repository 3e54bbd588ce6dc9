import { ACCESS_TOKEN_SECONDS } from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import type { AuthRepository } from './auth.repository.ts';

/** Clocks of two processes may differ this much, and a commit may take this long. */
const LEARN_OVERLAP_MS = 30_000;

/**
 * The log-ins that ended so lately that an access token of theirs may still be unexpired. Kept in
 * memory, so that no request asks the database.
 */
export function createEndedSessions(clock: Clock, repository: AuthRepository) {
  const endedAtMs = new Map<string, number>();
  let learntUntilMs: number | null = null;

  function forgetOld(): void {
    const oldestMs = clock.now().getTime() - ACCESS_TOKEN_SECONDS * 1_000;
    for (const [sessionId, atMs] of endedAtMs) {
      if (atMs >= oldestMs) break;
      endedAtMs.delete(sessionId);
    }
  }

  function add(sessionId: string, endedAt: Date = clock.now()): void {
    forgetOld();
    endedAtMs.set(sessionId, endedAt.getTime());
  }

  return {
    add,
    has: (sessionId: string): boolean => endedAtMs.has(sessionId),

    /**
     * Reads from the database which log-ins ended, at other processes too, or while this one did not
     * run. Each is read for some time: what was under way when it ended is found as well.
     */
    async learn(): Promise<string[]> {
      const nowMs = clock.now().getTime();
      const since = learntUntilMs ?? nowMs - ACCESS_TOKEN_SECONDS * 1_000;
      const ended = await repository.findSessionsEndedSince(new Date(since));
      learntUntilMs = nowMs - LEARN_OVERLAP_MS;
      for (const { id, ended_at } of ended) add(id, ended_at ?? clock.now());
      return ended.map(({ id }) => id);
    },
  };
}

export type EndedSessions = ReturnType<typeof createEndedSessions>;
