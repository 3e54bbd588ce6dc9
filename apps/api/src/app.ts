import {
  createAccessTokens,
  createAuthRepository,
  createAuthService,
  createEndedSessions,
  createLoginThrottle,
  serveAuth,
} from './features/auth/index.ts';
import {
  createMediaService,
  type MediaServerAddress,
  proxySignalling,
  SIGNALLING_PATH,
  serveMedia,
} from './features/media/index.ts';
import { createRoomsRepository, createRoomsService, serveRooms } from './features/rooms/index.ts';
import { createUsersRepository, createUsersService, serveUsers } from './features/users/index.ts';
import type { Clock } from './platform/clock/index.ts';
import { type Database, isDatabaseUp } from './platform/database/index.ts';
import type { Env } from './platform/env/index.ts';
import { serveHealth } from './platform/health/index.ts';
import { createHttpServer, type HttpServer } from './platform/http/index.ts';
import { createJobs } from './platform/jobs/index.ts';
import type { Logger } from './platform/logger/index.ts';
import { serveWeb } from './platform/web/index.ts';

const CONNECTED_EVERY_MS = 10_000;
/** The media server must answer this long before silence counts: after an outage all seats are silent. */
const TRUST_SILENCE_AFTER_MS = 60_000;
const FORGET_LOGINS_EVERY_MS = 60 * 60_000;

export interface AppParts {
  readonly env: Env;
  readonly logger: Logger;
  readonly clock: Clock;
  /** With its schema up to date. */
  readonly database: Database;
  readonly mediaServer: MediaServerAddress;
  /** Signs access tokens. */
  readonly authSecret: string;
  /** The built browser application. */
  readonly webDir: string;
}

export interface App {
  readonly http: HttpServer;
  /** Begins the repeated work. */
  startJobs(): void;
  /** Stops taking requests and waits for those under way. */
  close(): Promise<void>;
}

/** Puts the product together, in dependency order: a feature is given only what stands above it. */
export async function createApp(parts: AppParts): Promise<App> {
  const { env, logger, clock, database, mediaServer, authSecret } = parts;
  const isSecure = env.PUBLIC_URL?.startsWith('https:') ?? false;
  const endedSessions = createEndedSessions(clock);
  const accessTokens = createAccessTokens({
    secret: authSecret,
    clock,
    isSessionEnded: endedSessions.has,
  });
  const http = await createHttpServer({
    logger,
    authenticate: accessTokens.authenticate,
    trustProxy: env.TRUST_PROXY,
    rateLimitScale: env.RATE_LIMIT_SCALE,
    connectOrigins: externalOrigins(mediaServer.publicUrl),
    isSecure,
  });

  const users = createUsersService({ repository: createUsersRepository(database), clock });
  serveUsers(http, users);

  const authRepository = createAuthRepository(database);
  const auth = createAuthService({
    repository: authRepository,
    users,
    accessTokens,
    endedSessions,
    throttle: createLoginThrottle(clock, env.RATE_LIMIT_SCALE),
    clock,
    logger,
  });
  await auth.loadEndedSessions();
  serveAuth(http, auth, isSecure);

  const rooms = createRoomsService({
    repository: createRoomsRepository(database),
    clock,
    capacity: env.ROOM_CAPACITY,
  });
  serveRooms(http, rooms);

  const media = createMediaService({ server: mediaServer, rooms, clock, logger });
  rooms.onLeave(({ roomId, userId }) => void media.removeParticipant(roomId, userId));
  serveMedia(http, media, users);
  if (mediaServer.publicUrl === SIGNALLING_PATH) {
    proxySignalling(http, mediaServer.internalUrl, logger);
  }

  const health = serveHealth(http.fastify, {
    database: async () => ({ state: (await isDatabaseUp(database)) ? 'up' : 'down' }),
    media: async () => mediaServer.health(),
  });
  await serveWeb(http.fastify, { webDir: parts.webDir, publicUrl: env.PUBLIC_URL });

  const jobs = createJobs(logger);
  return {
    http,
    startJobs() {
      jobs.add({
        name: 'seats',
        everyMs: CONNECTED_EVERY_MS,
        run: async () => {
          const answeringMs = await media.noteConnected();
          if (answeringMs >= TRUST_SILENCE_AFTER_MS) await rooms.giveUpSilentSeats();
        },
      });
      jobs.add({
        name: 'expired log-ins',
        everyMs: FORGET_LOGINS_EVERY_MS,
        run: () => authRepository.deleteExpired(clock.now()),
      });
    },
    async close() {
      health.stop();
      await jobs.stop();
      await http.fastify.close();
    },
  };
}

/** The origins that the content policy must allow for a media server elsewhere. */
function externalOrigins(publicUrl: string): readonly string[] {
  if (!URL.canParse(publicUrl)) return [];
  const { host, protocol } = new URL(publicUrl);
  const isSecure = protocol === 'wss:' || protocol === 'https:';
  return isSecure ? [`wss://${host}`, `https://${host}`] : [`ws://${host}`, `http://${host}`];
}
