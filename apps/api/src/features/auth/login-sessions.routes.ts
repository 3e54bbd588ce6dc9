import { endLoginSession, endOtherLoginSessions, getLoginSessions } from '@mogakgong/contract';
import type { HttpServer } from '../../platform/http/index.ts';
import type { LoginSessions } from './login-sessions.service.ts';

export function serveLoginSessions(http: HttpServer, sessions: LoginSessions): void {
  http.serve(getLoginSessions, async ({ caller }) => ({ sessions: await sessions.list(caller) }));

  http.serve(endLoginSession, async ({ caller, params }) => ({
    sessions: await sessions.end(caller, params.sessionId),
  }));

  http.serve(endOtherLoginSessions, async ({ caller }) => ({
    sessions: await sessions.endOthers(caller),
  }));
}
