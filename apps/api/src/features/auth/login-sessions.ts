import {
  endLoginSession,
  endOtherLoginSessions,
  getLoginSessions,
  type LoginSession,
} from '@mogakgong/contract';
import type { Caller } from '../../platform/http/index.ts';
import type { AuthParts } from './auth-parts.ts';
import { describeDevice } from './device.ts';

/** A learner's own log-ins. */
export function serveLoginSessions({ http, repository, sessionEnds, clock }: AuthParts): void {
  /** Those that have not ended: the one that asks, then the one that was used last. */
  async function list({ userId, sessionId }: Caller): Promise<{ sessions: LoginSession[] }> {
    const rows = await repository.findSessions(userId, clock.now());
    const sessions = rows
      .map((row) => ({
        sessionId: row.sessionId,
        ...describeDevice(row.userAgent),
        beganAtMs: row.createdAt.getTime(),
        lastUsedAtMs: row.lastUsedAt.getTime(),
        isOwn: row.sessionId === sessionId,
      }))
      .sort((a, b) => Number(b.isOwn) - Number(a.isOwn));
    return { sessions };
  }

  http.serve(getLoginSessions, ({ caller }) => list(caller));

  http.serve(endLoginSession, async ({ caller, params: { sessionId } }) => {
    await sessionEnds.end({ userId: caller.userId, sessionId });
    return list(caller);
  });

  http.serve(endOtherLoginSessions, async ({ caller }) => {
    await sessionEnds.end({ userId: caller.userId, except: caller.sessionId });
    return list(caller);
  });
}
