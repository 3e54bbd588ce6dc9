import { ACCESS_TOKEN_SECONDS } from '@mogakgong/contract';
import { type Clock, READING_OVERLAP_MS } from '../../platform/clock/index.ts';
import type { AuthRepository } from './auth.repository.ts';
import type { EndingSessions } from './session-end-queries.ts';

/**
 * The ends of log-ins. Those that ended so lately that an access token of theirs may still be unexpired
 * are kept in memory, so that no request asks the database.
 */
export function createSessionEnds(clock: Clock, repository: AuthRepository) {
  const endedAtMs = new Map<string, number>();
  let learntUntilMs = Number.POSITIVE_INFINITY;
  const listeners: ((sessionIds: readonly string[]) => Promise<void>)[] = [];

  function forgetOld(): void {
    const oldestMs = clock.now().getTime() - ACCESS_TOKEN_SECONDS * 1_000;
    for (const [sessionId, atMs] of endedAtMs) {
      if (atMs >= oldestMs) break;
      endedAtMs.delete(sessionId);
    }
  }

  /** Refuses the tokens of a log-in from now on. */
  function add(sessionId: string, endedAt: Date = clock.now()): void {
    forgetOld();
    // In the order of their ends, so that one of a clock that was ahead is not in the way of others.
    endedAtMs.delete(sessionId);
    endedAtMs.set(sessionId, endedAt.getTime());
  }

  /** Refuses the tokens of log-ins that this process has ended in the database, and calls the listeners. */
  async function announce(sessionIds: readonly string[], endedAt: Date): Promise<void> {
    if (sessionIds.length === 0) return;
    for (const sessionId of sessionIds) add(sessionId, endedAt);
    for (const listener of listeners) await listener(sessionIds);
  }

  return {
    add,
    announce,
    has: (sessionId: string): boolean => endedAtMs.has(sessionId),

    /** @returns whether there was such a log-in that had not ended. */
    async end(which: EndingSessions): Promise<boolean> {
      const now = clock.now();
      const ended = await repository.endSessions(which, now);
      await announce(ended, now);
      return ended.length > 0;
    },

    /** Calls `listener` with the log-ins that this process ends, for any reason. */
    onEnded(listener: (sessionIds: readonly string[]) => Promise<void>): void {
      listeners.push(listener);
    },

    /**
     * Reads from the database which log-ins ended, at other processes too, or while this one did not
     * run. Each is read for some time: what was under way when it ended is found as well.
     */
    async learn(): Promise<string[]> {
      const nowMs = clock.now().getTime();
      const untilMs = nowMs - READING_OVERLAP_MS;
      // At first, and when the clock went back: one that was ahead may have forgotten ends too early.
      const isNew = learntUntilMs > untilMs;
      const since = isNew ? nowMs - ACCESS_TOKEN_SECONDS * 1_000 : learntUntilMs;
      const ended = await repository.findSessionsEndedSince(new Date(since));
      learntUntilMs = untilMs;
      for (const { sessionId, endedAt } of ended) add(sessionId, endedAt);
      return ended.map(({ sessionId }) => sessionId);
    },
  };
}

export type SessionEnds = ReturnType<typeof createSessionEnds>;
