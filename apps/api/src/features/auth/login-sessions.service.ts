import type { LoginSession } from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import type { AuthRepository } from './auth.repository.ts';
import { describeDevice } from './device.ts';
import type { SessionEnds } from './session-ends.ts';

interface LoginSessionsParts {
  readonly repository: AuthRepository;
  readonly sessionEnds: SessionEnds;
  readonly clock: Clock;
}

/** A learner's own log-ins. */
export function createLoginSessions({ repository, sessionEnds, clock }: LoginSessionsParts) {
  /** Those that have not ended: the one that asks, then the one that was used last. */
  async function list({ userId, sessionId }: Caller): Promise<LoginSession[]> {
    const rows = await repository.findSessions(userId, clock.now());
    return rows
      .map((row) => ({
        sessionId: row.id,
        ...describeDevice(row.user_agent),
        beganAtMs: row.created_at.getTime(),
        lastUsedAtMs: row.last_used_at.getTime(),
        isOwn: row.id === sessionId,
      }))
      .sort((a, b) => Number(b.isOwn) - Number(a.isOwn));
  }

  return {
    list,

    /** Ends a log-in of the caller; one that is not theirs, or is over, changes nothing. */
    async end(caller: Caller, sessionId: string): Promise<LoginSession[]> {
      const now = clock.now();
      const { userId } = caller;
      const ended = await repository.endOwnSession({ userId, sessionId }, now);
      await sessionEnds.announce(ended, now);
      return list(caller);
    },

    /** Ends every log-in of the caller but the one that asks. */
    async endOthers(caller: Caller): Promise<LoginSession[]> {
      const now = clock.now();
      await sessionEnds.announce(await repository.endOtherSessions(caller, now), now);
      return list(caller);
    },
  };
}

export type LoginSessions = ReturnType<typeof createLoginSessions>;
