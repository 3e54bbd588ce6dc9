import { setTimeout } from 'node:timers/promises';
import type { UserId } from '@mogakgong/contract';
import { createAccess, createAuth, endLogins } from './app-auth.ts';
import { createRealtime } from './app-realtime.ts';
import { createSanctions, enforceSanctions } from './app-sanctions.ts';
import { createAudit } from './features/audit/index.ts';
import { createBlocks } from './features/blocks/index.ts';
import { createClientErrors } from './features/client-errors/index.ts';
import { createImages } from './features/images/index.ts';
import { createLeaderboard } from './features/leaderboard/index.ts';
import { createMedia, type Media, type MediaServerAddress } from './features/media/index.ts';
import { createPrivacy } from './features/privacy/index.ts';
import { createProfile } from './features/profile/index.ts';
import { createReports } from './features/reports/index.ts';
import { createRooms, serveRooms } from './features/rooms/index.ts';
import { type SanctionsService, serveSanctions } from './features/sanctions/index.ts';
import { createStatistics } from './features/statistics/index.ts';
import { createSupport } from './features/support/index.ts';
import { createUsers } from './features/users/index.ts';
import type { Backplane } from './platform/backplane/index.ts';
import { type CheckedClock, type Clock, createCheckedClock } from './platform/clock/index.ts';
import {
  CHECK_DATABASE_EVERY_MS,
  type PooledDatabase,
  readDatabaseClock,
  watchDatabase,
} from './platform/database/index.ts';
import type { Env } from './platform/env/index.ts';
import { serveHealth } from './platform/health/index.ts';
import {
  type Authenticate,
  createHttpServer,
  type HttpServer,
  refuseRestricted,
} from './platform/http/index.ts';
import { createJobs, type Jobs } from './platform/jobs/index.ts';
import type { Limits } from './platform/limits/index.ts';
import type { Logger } from './platform/logger/index.ts';
import { createMailer, type Mailer } from './platform/mail/index.ts';
import { serveWeb } from './platform/web/index.ts';

const CHECK_CLOCK_EVERY_MS = 5_000;
const DELETE_KEPT_MAILS_EVERY_MS = 60 * 60_000;
/** Time for the operator to read them; afterwards nothing of a deleted account is left there either. */
const KEEP_MAILS_MS = 30 * 24 * 60 * 60_000;
const MAILS_END_MS = 1_000;

export interface AppParts {
  readonly env: Env;
  readonly logger: Logger;
  readonly clock: Clock;
  /** With its schema up to date. */
  readonly database: PooledDatabase;
  /** Connects the processes of one site. */
  readonly backplane: Backplane;
  /** Counts frequent actions of learners and addresses. */
  readonly limits: Limits;
  readonly mediaServer: MediaServerAddress;
  /** Signs access tokens. */
  readonly authSecret: string;
  /** The built browser application. */
  readonly webDir: string;
}

/** Parts that every feature may use. */
interface SharedParts extends AppParts {
  readonly sanctions: SanctionsService;
  readonly http: HttpServer;
  readonly jobs: Jobs;
  readonly mailer: Mailer;
  /** For stored times: throws while the clock may be wrong. */
  readonly checkedClock: CheckedClock;
}

export interface App {
  readonly http: HttpServer;
  /** Starts the repeated work. */
  startJobs(): void;
  /** Runs one job now, by its name. */
  runJob(name: string): Promise<void>;
  /**
   * Accepts no more connections, answers pending requests, and closes the WebSockets with 1012; takes at most
   * about 8 s.
   */
  drain(): Promise<void>;
  /** Releases everything; pending requests are cut. */
  close(): Promise<void>;
}

/** Assembles the product in dependency order: a feature is given only parts created above it. */
export async function createApp(parts: AppParts): Promise<App> {
  const { env, logger, mediaServer } = parts;
  const sanctions = await createSanctions(parts);
  const isSuspended = (userId: UserId) => sanctions.standing.isSuspended(userId);
  const access = await createAccess({ ...parts, isSuspended });
  const site = { publicUrl: env.PUBLIC_URL, isSecure: isSecure(env) };
  const http = await createHttpServer({
    logger,
    ...access.callers,
    trustProxy: env.TRUST_PROXY,
    limits: parts.limits,
    rateLimitScale: env.RATE_LIMIT_SCALE,
    connectOrigins: externalOrigins(mediaServer.publicUrl),
    ...site,
  });
  const jobs = createJobs(parts);
  const checkedClock = createClockCheck(parts, jobs);
  const mailer = createSiteMailer(parts, jobs);
  const shared = { ...parts, http, jobs, mailer, checkedClock, sanctions };

  // A suspended person may have signed up again.
  const onSignedUp = sanctions.reapplyToEmail.bind(sanctions);
  const users = createUsers({ ...shared, onSignedUp });
  createAudit({ ...shared, findCards: users.findCards });
  serveSanctions(http, sanctions);

  const auth = createAuth({ ...shared, ...site, users }, access);

  const { blocks, pairs } = createBlocks({ ...shared, users });
  const rooms = createRooms(shared);
  createProfile({ ...shared, rooms });
  const images = createImages({ ...shared, rooms });
  const media = createMedia({ ...shared, server: mediaServer, users, pairs, rooms });
  serveRooms(http, rooms, media.findAccess);

  const authenticate = refusingRestricted(access.callers.authenticate);
  const realtime = createRealtime({
    ...{ ...shared, authenticate, users, blocks, pairs, rooms, images, media },
  });
  createStatistics({ ...shared, users, titles: realtime.titles });
  createLeaderboard({ ...shared, rooms });
  const reports = createReports({ ...shared, images, notices: realtime.notices });
  const { sessionEnds } = access;
  const privacy = createPrivacy({
    ...{ ...shared, ...realtime, users, sessionEnds, rooms, images, reports },
  });
  createSupport(shared);
  createClientErrors(shared);
  endLogins(shared, access, { rooms, realtime });
  enforceSanctions(shared, sanctions, { rooms, media, realtime });

  const health = createHealth(shared, media);
  await serveWeb(http, {
    webDir: parts.webDir,
    publicUrl: env.PUBLIC_URL,
    attributes: pageAttributes(env, auth.socialProviders),
    devPages: env.DEV_PAGES,
  });

  return {
    http,
    startJobs: jobs.start,
    runJob: jobs.run,
    async drain() {
      health.stop();
      await Promise.all([http.drain(), realtime.hub.close()]);
    },
    async close() {
      await jobs.stop();
      health.close();
      await realtime.close();
      await endOfMails(Promise.all([auth.close(), privacy.close()]));
      await http.fastify.close();
    },
  };
}

/** Attributes of the root of every page. */
const pageAttributes = (env: Env, socialProviders: readonly string[]) => ({
  // `/login` is painted with their buttons.
  'data-social': socialProviders.join(' '),
  ...(!env.CLIENT_ERRORS && { 'data-client-errors': 'off' }),
});

/** For connections: a restricted account may not have any. */
function refusingRestricted(authenticate: Authenticate): Authenticate {
  return async (token) => {
    const holder = await authenticate(token);
    refuseRestricted(holder);
    return holder;
  };
}

/** Waits for mails that are being sent, but not for an unresponsive mail server. */
const endOfMails = (sent: Promise<unknown>) =>
  Promise.race([sent, setTimeout(MAILS_END_MS, undefined, { ref: false })]);

/** The health checks of the site. */
function createHealth(shared: SharedParts, media: Media) {
  const { http, jobs, database, backplane, checkedClock, logger } = shared;
  const watch = watchDatabase(database, logger);
  jobs.add({
    name: 'database',
    everyMs: CHECK_DATABASE_EVERY_MS,
    runs: 'process',
    run: () => watch.check(),
  });
  const { stop } = serveHealth(http.fastify, {
    database: () => ({ state: watch.isUp ? 'up' : 'down' }),
    media: media.health,
    clock: () => ({ state: checkedClock.isRight ? 'up' : 'degraded' }),
    backplane: () => ({ state: backplane.state === 'whole' ? 'up' : 'degraded' }),
    connections: () => ({ state: 'up', ...http.connections.figures() }),
  });
  return { stop, close: () => watch.close() };
}

/** A clock for stored times, compared with the database's repeatedly. */
function createClockCheck({ clock, database, logger }: AppParts, jobs: Jobs): CheckedClock {
  const checkedClock = createCheckedClock({
    clock,
    readShared: () => readDatabaseClock(database),
    logger,
  });
  jobs.add({
    name: 'clock',
    everyMs: CHECK_CLOCK_EVERY_MS,
    runs: 'process',
    run: () => checkedClock.check(),
  });
  return checkedClock;
}

/** The origins that the content policy must allow for a media server elsewhere. */
function externalOrigins(publicUrl: string): readonly string[] {
  if (!URL.canParse(publicUrl)) return [];
  const { host, protocol } = new URL(publicUrl);
  const isSecure = protocol === 'wss:' || protocol === 'https:';
  return isSecure ? [`wss://${host}`, `https://${host}`] : [`ws://${host}`, `http://${host}`];
}

/** Whether the product is reached over https. */
function isSecure(env: Env): boolean {
  return env.PUBLIC_URL?.startsWith('https:') ?? false;
}

/** Mails of the site, and the job that deletes old unsent ones. */
function createSiteMailer({ env, clock, logger }: AppParts, jobs: Jobs): Mailer {
  const mailer = createMailer({
    smtpUrl: env.SMTP_URL,
    from: env.MAIL_FROM,
    outboxDir: env.MAIL_OUTBOX_DIR,
    logger,
  });
  jobs.add({
    name: 'kept mails',
    everyMs: DELETE_KEPT_MAILS_EVERY_MS,
    // Each machine may have its own folder.
    runs: 'process',
    run: () => mailer.deleteKept(new Date(clock.now().getTime() - KEEP_MAILS_MS)),
  });
  return mailer;
}
