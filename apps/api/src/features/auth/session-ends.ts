import type { Clock } from '../../platform/clock/index.ts';
import type { AuthRepository } from './auth.repository.ts';
import type { EndedSessions } from './ended-sessions.ts';

interface SessionEndsParts {
  readonly repository: AuthRepository;
  readonly endedSessions: EndedSessions;
  readonly clock: Clock;
}

/** The ends of log-ins that this process causes: what else ends with a log-in follows from here. */
export function createSessionEnds({ repository, endedSessions, clock }: SessionEndsParts) {
  const listeners: ((sessionIds: readonly string[]) => Promise<void>)[] = [];

  /** Refuses the tokens of log-ins that the database has ended at this time, and calls the listeners. */
  async function announce(sessionIds: readonly string[], endedAt: Date): Promise<void> {
    if (sessionIds.length === 0) return;
    for (const sessionId of sessionIds) endedSessions.add(sessionId, endedAt);
    for (const listener of listeners) await listener(sessionIds);
  }

  return {
    announce,

    /** @returns whether there was such a log-in that had not ended. */
    async end(sessionId: string): Promise<boolean> {
      const now = clock.now();
      const ended = await repository.endSession(sessionId, now);
      await announce(ended, now);
      return ended.length > 0;
    },

    /** Calls `listener` with the log-ins that end here, whatever ends them. */
    onEnded(listener: (sessionIds: readonly string[]) => Promise<void>): void {
      listeners.push(listener);
    },
  };
}

export type SessionEnds = ReturnType<typeof createSessionEnds>;
