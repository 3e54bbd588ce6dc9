import { setTimeout } from 'node:timers/promises';
import { HOUR_MS } from '@mogakgong/contract';
import { createLogIns, endLogins } from './app-auth.ts';
import { reportMetrics } from './app-metrics.ts';
import { createRealtime } from './app-realtime.ts';
import { enforceSanctions } from './app-sanctions.ts';
import { createAudit } from './features/audit/index.ts';
import { createAccess } from './features/auth/index.ts';
import { createBackups } from './features/backup/index.ts';
import { createBlocks } from './features/blocks/index.ts';
import { createClientErrors } from './features/client-errors.ts';
import { visitsOfSeats } from './features/focus/index.ts';
import { createImages } from './features/images/index.ts';
import { createLeaderboard } from './features/leaderboard/index.ts';
import { createMedia, type Media } from './features/media/index.ts';
import { createPrivacy } from './features/privacy/index.ts';
import { createProfile } from './features/profile.ts';
import { createPush } from './features/push/index.ts';
import { createReports } from './features/reports/index.ts';
import { createRooms, serveRooms } from './features/rooms/index.ts';
import { type AppContext, createSanctions, serveSanctions } from './features/sanctions/index.ts';
import { createStatistics } from './features/statistics/index.ts';
import { createSupport } from './features/support.ts';
import { createUsers } from './features/users/index.ts';
import { tellOfLosses } from './platform/backplane/index.ts';
import { type CheckedClock, createCheckedClock } from './platform/clock/index.ts';
import type { ProcessContext } from './platform/context/index.ts';
import {
  CHECK_DATABASE_EVERY_MS,
  type PooledDatabase,
  poolShare,
  readDatabaseClock,
  watchDatabase,
} from './platform/database/index.ts';
import { serveHealth } from './platform/health/index.ts';
import { createHttpServer, type HttpServer } from './platform/http/index.ts';
import { createJobs, type Jobs } from './platform/jobs/index.ts';
import { createMailer, type Mailer } from './platform/mail/index.ts';
import { renewSiteKeys } from './platform/sealed-values/index.ts';
import { serveWeb } from './platform/web/index.ts';

const CHECK_CLOCK_EVERY_MS = 5_000;
const SHARE_EVERY_MS = 5_000;
/** Time for the operator to read them; afterwards nothing of a deleted account is left there either. */
const KEEP_MAILS_MS = 30 * 24 * HOUR_MS;
const MAILS_END_MS = 1_000;

/** Everything that main.ts provides. */
export interface AppParts extends ProcessContext {
  readonly database: PooledDatabase;
  /** The built browser application. */
  readonly webDir: string;
}

export interface App {
  readonly http: HttpServer;
  /** Starts the repeated work. */
  startJobs(): void;
  /** The names of the repeated work on the whole database. */
  readonly siteJobs: readonly string[];
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

/** The context of the features, and the checks of access tokens that its HTTP server was built with. */
async function createContext(parts: AppParts) {
  await renewSiteKeys(parts);
  const sanctions = await createSanctions(parts);
  const access = await createAccess(parts, sanctions);
  const http = await createHttpServer({ ...parts, ...access.callers });
  const checkedClock = createSiteClock(parts);
  const jobs = createJobs({ ...parts, checkedClock });
  jobs.add({
    name: 'clock',
    everyMs: CHECK_CLOCK_EVERY_MS,
    runs: 'process',
    run: checkedClock.check,
  });
  const mailer = createSiteMailer(parts, jobs);
  shareConnections(parts, jobs);
  tellOfLosses({ ...parts, jobs });
  const context: AppContext = { ...parts, sanctions, http, jobs, checkedClock, mailer };
  return { context, access, checkedClock };
}

/**
 * Assembles the product in dependency order: a feature is given the context, and the features it uses, which
 * are created above it.
 */
export async function createApp(parts: AppParts): Promise<App> {
  const { context, access, checkedClock } = await createContext(parts);
  const { http, jobs, sanctions } = context;

  // A suspended person may have signed up again.
  const users = createUsers(context, sanctions.reapplyToEmail.bind(sanctions));
  createAudit(context, users.findCards);
  serveSanctions(context);
  const logIns = createLogIns(context, access, users);

  const { blocks, pairs } = createBlocks(context, users);
  const rooms = createRooms(context, visitsOfSeats);
  createProfile(context, rooms);
  const images = createImages(context, rooms);
  const media = await createMedia(context, { users, pairs, rooms });
  serveRooms(context, rooms, media.findAccess);

  const push = createPush(context);
  const ofRealtime = { users, blocks, pairs, rooms, images, media, push };
  const realtime = createRealtime(context, access.callers.authenticate, ofRealtime);
  createStatistics(context, { users, titles: realtime.titles });
  createLeaderboard(context, rooms);
  const reports = createReports(context, { ...realtime, images, push });
  const { sessionEnds } = access;
  const ofPrivacy = { users, sessionEnds, rooms, images, reports };
  const privacy = createPrivacy(context, { ...realtime, ...ofPrivacy });
  createSupport(context);
  createClientErrors(context);
  createBackups(context);
  endLogins(context, { access, rooms, realtime, push });
  enforceSanctions(context, { rooms, media, realtime });

  const { watch, ...health } = createHealth(parts, context, checkedClock, media);
  reportMetrics(context, {
    connections: parts.database.connections,
    watch,
    media,
    hub: realtime.hub,
  });
  await servePages(parts, http, logIns.socialProviders);

  return {
    http,
    startJobs: jobs.start,
    siteJobs: jobs.ofSite(),
    runJob: jobs.run,
    async drain() {
      health.stop();
      await Promise.all([http.drain(), realtime.hub.close()]);
    },
    async close() {
      await jobs.stop();
      health.close();
      push.close();
      await realtime.close();
      await endOfMails(Promise.all([logIns.close(), privacy.close()]));
      await http.fastify.close();
    },
  };
}

/** The browser application, with attributes at the root of every page. */
async function servePages(
  { env, webDir }: AppParts,
  http: HttpServer,
  socialProviders: readonly string[],
): Promise<void> {
  const attributes = {
    // `/login` is painted with their buttons.
    'data-social': socialProviders.join(' '),
    ...(!env.CLIENT_ERRORS && { 'data-client-errors': 'off' }),
  };
  await serveWeb(http, env, { webDir, attributes });
}

/** Waits for mails that are being sent, but not for an unresponsive mail server. */
const endOfMails = (sent: Promise<unknown>) =>
  Promise.race([sent, setTimeout(MAILS_END_MS, undefined, { ref: false })]);

/** The health checks of the site. */
function createHealth(
  { database, backplane, logger }: AppParts,
  { http, jobs }: AppContext,
  checkedClock: CheckedClock,
  media: Media,
) {
  const watch = watchDatabase(database, logger);
  const check = () => watch.check();
  jobs.add({ name: 'database', everyMs: CHECK_DATABASE_EVERY_MS, runs: 'process', run: check });
  const { stop } = serveHealth(http.fastify, {
    database: () => ({ state: watch.isUp ? 'up' : 'down' }),
    media: media.health,
    clock: () => ({ state: checkedClock.isRight ? 'up' : 'degraded' }),
    backplane: () => ({ state: backplane.state === 'whole' ? 'up' : 'degraded' }),
    connections: () => ({ state: 'up', ...http.connections.figures() }),
  });
  return { watch, stop, close: () => watch.close() };
}

/** Keeps the connections of all processes of the site below what the database takes. */
function shareConnections({ database, env, backplane, logger }: AppParts, jobs: Jobs): void {
  const { connections } = database;
  const run = async () => {
    const { processes } = backplane;
    const most = await poolShare(database, { wanted: env.DATABASE_POOL, processes });
    if (most === connections.most) return;
    connections.most = most;
    logger.info({ most, processes }, 'this process has another share of the database connections');
  };
  jobs.add({ name: 'database connections', everyMs: SHARE_EVERY_MS, runs: 'process', run });
}

/** A clock for stored times, compared with the database's. */
const createSiteClock = ({ clock, database, logger }: AppParts): CheckedClock =>
  createCheckedClock({ clock, readShared: () => readDatabaseClock(database), logger });

/** Mails of the site, and the job that deletes old unsent ones. */
function createSiteMailer({ env, clock, logger, metrics }: AppParts, jobs: Jobs): Mailer {
  const mailer = createMailer({
    smtpUrl: env.SMTP_URL,
    from: env.MAIL_FROM,
    outboxDir: env.MAIL_OUTBOX_DIR,
    logger,
    metrics,
  });
  jobs.add({
    name: 'kept mails',
    everyMs: HOUR_MS,
    // Each machine may have its own folder.
    runs: 'process',
    run: () => mailer.deleteKept(new Date(clock.now().getTime() - KEEP_MAILS_MS)),
  });
  return mailer;
}
