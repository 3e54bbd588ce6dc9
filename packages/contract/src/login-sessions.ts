import * as z from 'zod/mini';
import { settingsRate } from './limits.ts';
import { route } from './route.ts';
import { Uuid } from './uuid.ts';

const LoginSession = z.object({
  sessionId: Uuid,
  /** Proper names, as the browser describes itself; null if not recognised. */
  browser: z.nullable(z.string()),
  system: z.nullable(z.string()),
  beganAtMs: z.number(),
  /** The last renewal of its access token: at most ACCESS_TOKEN_SECONDS before its last request. */
  lastUsedAtMs: z.number(),
  /** Whether it is the caller's log-in. */
  isOwn: z.boolean(),
});
export type LoginSession = z.infer<typeof LoginSession>;

/** The caller's own first, then the most recently used. */
const LoginSessions = z.object({ sessions: z.array(LoginSession) });

export const getLoginSessions = route({
  method: 'GET',
  path: '/api/user/sessions',
  summary: "The caller's log-ins that have not ended",
  access: 'login',
  reply: LoginSessions,
  errors: ['unauthorized'],
});

export const endLoginSession = route({
  method: 'DELETE',
  path: '/api/user/sessions/:sessionId',
  summary:
    'Ends a log-in of the caller, with its connections and its seat; answers those that remain',
  access: 'login',
  params: z.object({ sessionId: Uuid }),
  reply: LoginSessions,
  errors: ['unauthorized'],
  limit: settingsRate,
});

export const endOtherLoginSessions = route({
  method: 'DELETE',
  path: '/api/user/sessions',
  summary: 'Ends every log-in of the caller but the one that asks; answers those that remain',
  access: 'login',
  reply: LoginSessions,
  errors: ['unauthorized'],
  limit: settingsRate,
});
