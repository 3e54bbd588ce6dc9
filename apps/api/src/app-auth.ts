import type { UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Realtime } from './app-realtime.ts';
import {
  type AuthParts,
  createAccessTokens,
  createAuthRepository,
  createLogInCookies,
  createMailedLinks,
  createNewLogIns,
  createRecentLogIns,
  createRefreshTokens,
  createSecurityMails,
  createSessionEnds,
  serveAuth,
  serveEmailChanges,
  serveLoginSessions,
  servePasswords,
  serveReauthentication,
} from './features/auth/index.ts';
import { createPasskeys, removePasskeysBeforeProof } from './features/passkeys/index.ts';
import type { RoomsService } from './features/rooms/index.ts';
import { createSecondFactor } from './features/second-factor/index.ts';
import { createSocialLogin, unlinkBeforeProof } from './features/social-login/index.ts';
import { createUsersRepository, type UsersService } from './features/users/index.ts';
import type { Backplane } from './platform/backplane/index.ts';
import type { Clock } from './platform/clock/index.ts';
import type { Database } from './platform/database/index.ts';
import { type Env, siteUrlOf } from './platform/env/index.ts';
import {
  createGuessThrottle,
  type HttpServer,
  type OwnCookieOptions,
} from './platform/http/index.ts';
import type { Jobs } from './platform/jobs/index.ts';
import type { Limits } from './platform/limits/index.ts';
import type { Logger } from './platform/logger/index.ts';
import type { Mailer } from './platform/mail/index.ts';
import { createSealedCookies, createSealedValues } from './platform/sealed-values/index.ts';

const FORGET_LOGINS_EVERY_MS = 60 * 60_000;
const ENDED_LOGINS_CHANNEL = 'ended-logins';
/** Repeats the work of the backplane: a log-out closes connections within five seconds in any case. */
const LEARN_ENDED_LOGINS_EVERY_MS = 3_000;

interface AccessParts {
  readonly isSuspended: (userId: UserId) => boolean;
  readonly authSecret: string;
  readonly clock: Clock;
  readonly database: Database;
}

interface SharedParts extends Omit<AccessParts, 'isSuspended'>, OwnCookieOptions {
  readonly env: Env;
  readonly logger: Logger;
  readonly limits: Limits;
  readonly http: HttpServer;
  readonly jobs: Jobs;
  readonly mailer: Mailer;
  readonly users: UsersService;
}

/** Checks of access tokens. */
export async function createAccess(parts: AccessParts) {
  const { authSecret, clock, database, isSuspended } = parts;
  const repository = createAuthRepository(database);
  const sessionEnds = createSessionEnds(clock, repository);
  await sessionEnds.learn();
  const isSessionEnded = sessionEnds.has;
  const accessTokens = createAccessTokens({
    secret: authSecret,
    clock,
    isSessionEnded,
    isSuspended,
  });
  const callers = {
    authenticate: accessTokens.authenticate,
    hasRecentLogIn: createRecentLogIns(repository, clock),
    findRole: createUsersRepository(database).findRole,
  };
  return { repository, sessionEnds, isSessionEnded, accessTokens, isSuspended, callers };
}

type Access = Awaited<ReturnType<typeof createAccess>>;

/** Log-ins, passwords, and the ends of log-ins; `close` waits for mails that are being sent. */
export function createAuth(shared: SharedParts, access: Access) {
  const { env, authSecret, clock, users } = shared;
  const { repository } = access;
  const throttle = createGuessThrottle(shared.limits);
  const siteUrl = siteUrlOf(env);
  const links = createMailedLinks({ ...shared, siteUrl });
  const mails = createSecurityMails({ users, links, siteUrl });
  const sealedCookies = createSealedCookies(createSealedValues(authSecret, clock), shared);
  const own = { ...shared, sealedCookies, throttle, onChanged: mails.send };
  const secondFactor = createSecondFactor(own);
  const checkPasskey = createPasskeys(own);
  const refreshTokens = createRefreshTokens(authSecret);
  const logInCookies = createLogInCookies(sealedCookies, shared);
  const made = { throttle, links, mails, secondFactor, refreshTokens, logInCookies };
  const parts: AuthParts = { ...shared, ...access, ...made };
  const newLogIns = createNewLogIns(parts);
  serveAuth(parts, newLogIns, checkPasskey);
  serveReauthentication(parts, checkPasskey);
  servePasswords(parts, sql`${unlinkBeforeProof}, ${removePasskeysBeforeProof}`);
  serveEmailChanges(parts);
  serveLoginSessions(parts);
  const socialProviders = createSocialLogin({ ...own, ...access, newLogIns, logInCookies });
  shared.jobs.add({
    name: 'expired log-ins',
    everyMs: FORGET_LOGINS_EVERY_MS,
    runs: 'site',
    run: () => repository.deleteExpired(clock.now()),
  });
  return { close: links.close, socialProviders };
}

interface LoginEndParts {
  readonly backplane: Backplane;
  readonly jobs: Jobs;
  readonly logger: Logger;
}

interface LoginEndDependencies {
  readonly rooms: RoomsService;
  readonly realtime: Realtime;
}

/** When a log-in ends, closes its connections in every process and gives up its seat. */
export function endLogins(
  { backplane, jobs, logger }: LoginEndParts,
  { sessionEnds }: Access,
  { rooms, realtime }: LoginEndDependencies,
): void {
  jobs.add({
    name: 'ended log-ins',
    everyMs: LEARN_ENDED_LOGINS_EVERY_MS,
    runs: 'process',
    run: async () => {
      const ended = await sessionEnds.learn();
      for (const sessionId of ended) realtime.hub.endLogin(sessionId);
      await rooms.leaveHeldBy(ended);
    },
  });
  sessionEnds.onEnded(async (sessionIds) => {
    for (const sessionId of sessionIds) backplane.publish(ENDED_LOGINS_CHANNEL, sessionId);
    // The sweep gives up seats that could not be given up here.
    await rooms
      .leaveHeldBy(sessionIds)
      .catch((error: unknown) => logger.warn({ err: error }, 'an ended log-in keeps its seat'));
  });
  backplane.subscribe(ENDED_LOGINS_CHANNEL, (sessionId) => {
    sessionEnds.add(sessionId);
    realtime.hub.endLogin(sessionId);
  });
}
