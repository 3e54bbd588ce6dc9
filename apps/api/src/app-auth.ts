import type { UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Realtime } from './app-realtime.ts';
import {
  createAccessTokens,
  createAuthRepository,
  createAuthService,
  createEmailChanges,
  createEndedSessions,
  createLoginSessions,
  createMailedLinks,
  createNewLogIns,
  createPasswordResets,
  createPasswords,
  createReauthentication,
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
import { createSealedValues } from './platform/sealed-values/index.ts';

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

interface AuthParts extends Omit<AccessParts, 'isSuspended'>, OwnCookieOptions {
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
  const authRepository = createAuthRepository(database);
  const endedSessions = createEndedSessions(clock, authRepository);
  await endedSessions.learn();
  const accessTokens = createAccessTokens({
    secret: authSecret,
    clock,
    isSessionEnded: endedSessions.has,
    isSuspended,
  });
  const sessionEnds = createSessionEnds({ repository: authRepository, endedSessions, clock });
  const callers = {
    authenticate: accessTokens.authenticate,
    hasRecentLogIn: createRecentLogIns(authRepository, clock),
    findRole: createUsersRepository(database).findRole,
  };
  return { authRepository, endedSessions, sessionEnds, accessTokens, isSuspended, callers };
}

type Access = Awaited<ReturnType<typeof createAccess>>;

/** Log-ins, passwords, and the ends of log-ins; `close` waits for mails that are being sent. */
export function createAuth(shared: AuthParts, access: Access) {
  const { env, clock, http, jobs, users } = shared;
  const { authRepository: repository, endedSessions } = access;
  const throttle = createGuessThrottle(shared.limits);
  const siteUrl = siteUrlOf(env);
  const links = createMailedLinks({ ...shared, siteUrl });
  const mails = createSecurityMails({ users, links, siteUrl });
  const own = { ...shared, onChanged: mails.send };
  const secondFactor = createSecondFactor({ ...own, throttle });
  const sealedValues = createSealedValues(shared.authSecret, clock);
  const checkPasskey = createPasskeys({ ...own, sealedValues });
  const refreshTokens = createRefreshTokens(shared.authSecret);
  const factors = { users, throttle, secondFactor, sealedValues, refreshTokens, mails };
  const newLogIns = createNewLogIns({ ...factors, ...access, repository, clock });
  const parts = { ...shared, ...access, ...factors, repository, newLogIns };
  const auth = createAuthService(parts);
  serveAuth(http, { ...shared, auth, newLogIns, checkPasskey });
  serveReauthentication(http, createReauthentication({ ...parts, auth }), checkPasskey);
  const beforeProof = sql`${unlinkBeforeProof}, ${removePasskeysBeforeProof}`;
  const resets = createPasswordResets({ ...parts, links, beforeProof });
  const emailChanges = createEmailChanges({ ...parts, links });
  serveEmailChanges(http, emailChanges);
  servePasswords(http, createPasswords({ ...parts, auth }), resets, shared);
  serveLoginSessions(http, createLoginSessions(parts));
  const isSessionEnded = endedSessions.has;
  const social = createSocialLogin({ ...parts, isSessionEnded, onChanged: mails.send });
  jobs.add({
    name: 'expired log-ins',
    everyMs: FORGET_LOGINS_EVERY_MS,
    runs: 'site',
    run: () =>
      Promise.all([
        repository.deleteExpired(clock.now()),
        resets.deleteExpired(),
        emailChanges.deleteExpired(),
        repository.deleteForgottenBrowsers(clock.now()),
      ]),
  });
  const socialProviders = social.listProviders().map(({ provider }) => provider);
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
  { endedSessions, sessionEnds }: Access,
  { rooms, realtime }: LoginEndDependencies,
): void {
  jobs.add({
    name: 'ended log-ins',
    everyMs: LEARN_ENDED_LOGINS_EVERY_MS,
    runs: 'process',
    run: async () => {
      const ended = await endedSessions.learn();
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
    endedSessions.add(sessionId);
    realtime.hub.endLogin(sessionId);
  });
}
