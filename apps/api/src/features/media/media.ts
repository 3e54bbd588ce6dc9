import {
  createConnectionTest,
  createMediaToken,
  type MediaAccess,
  MINUTE_MS,
  type RoomId,
  type UserId,
} from '@mogakgong/contract';
import type { HealthCheck } from '../../platform/health/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import type { Jobs } from '../../platform/jobs/index.ts';
import type { TakenPlace } from '../rooms/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { createConnectionTests, createRunningTests } from './connection-test.ts';
import { createMediaService, type MediaUses } from './media.service.ts';
import { createMediaServers, type MediaServers, serverUrlOf } from './media-servers.ts';
import { RoomChecks } from './room-checks.ts';
import { proxySignalling } from './signalling-proxy.ts';
import { serveWebhook } from './webhook.ts';

/** A server that dies is noticed within three seconds: after one of these, and two probes. */
const PROBE_EVERY_MS = 1_000;
const READ_SERVERS_EVERY_MS = 1_000;
const COUNT_LOAD_EVERY_MS = 10_000;
const CHECK_SILENT_EVERY_MS = 5_000;
const RECONCILE_EVERY_MS = 30_000;

/**
 * Tokens for the media server, its signalling on our own port, and checks of the participants of its rooms.
 */
export async function createMedia(context: AppContext, uses: MediaUses) {
  const servers = await listMediaServers(context);
  const parts = { ...context, ...uses, servers };
  const { http, jobs, rooms, logger } = parts;
  const media = createMediaService(parts);
  http.serve(createMediaToken, async ({ caller, body }) =>
    media.createToken(caller, await media.findOwnPlace(caller, body.roomName)),
  );

  const tests = createConnectionTests(parts);
  http.serve(createConnectionTest, ({ caller }) => tests.create(caller));

  const checks = new RoomChecks(parts);
  const running = createRunningTests((test) => checks.endTest(test));
  proxySignalling({ ...parts, media, tests, running, checks });
  serveWebhook(http, servers, checks);
  const checkSoon = (roomId: RoomId) => {
    checks
      .check(roomId)
      .catch((error: unknown) => logger.warn({ err: error, roomId }, 'could not check a room'));
  };
  rooms.onRoster(({ type, roomId }) => {
    if (type === 'left') checkSoon(roomId);
  });
  const checkSilent = () => checks.checkSilent();
  const reconcile = () => checks.reconcile();
  addServerJobs(jobs, servers);
  jobs.add(
    {
      name: 'silent learners in media',
      everyMs: CHECK_SILENT_EVERY_MS,
      runs: 'site',
      run: checkSilent,
    },
    {
      name: 'rooms of the media server',
      everyMs: RECONCILE_EVERY_MS,
      runs: 'site',
      run: reconcile,
    },
  );

  return {
    /** For a seat that was just taken, so that its browser need not ask; undefined if it has to. */
    async findAccess(caller: Caller, place: TakenPlace): Promise<MediaAccess | undefined> {
      try {
        return await media.createToken(caller, place);
      } catch (error) {
        logger.debug(
          { err: error, ...place },
          'a seat was taken without access to the media server',
        );
        return undefined;
      }
    },
    /** Compares a room of the media server with its seats and with the learners' permissions. */
    checkSoon,
    /** Ends the connection tests of a suspended learner. */
    endTestsOf: (userId: UserId) => running.endOf(userId),
    /** The cameras shown in a room; null while the media server does not answer. */
    findCameras: (roomId: RoomId) => checks.findCameras(roomId),
    /** Called with the learners in rooms that moved to another media server, in one process. */
    onMoved: servers.onMoved.bind(servers),
    /** For operators: the media servers, and the participants removed from them by this process. */
    figures: () => ({ servers: servers.all, removals: checks.removals }),
    health: (): HealthCheck => ({
      state: servers.all.some(({ isUp }) => isUp) ? 'up' : 'degraded',
      removed: checks.removals,
    }),
  };
}

/** The media servers of the site, with those of the environment. */
async function listMediaServers(context: AppContext): Promise<MediaServers> {
  const { env } = context;
  const servers = createMediaServers(context);
  await servers.list({
    urls: (env.LIVEKIT_URL ?? []).map(serverUrlOf),
    apiKey: env.LIVEKIT_API_KEY ?? '',
    apiSecret: env.LIVEKIT_API_SECRET ?? '',
  });
  return servers;
}

/** Repeated work on the servers. */
function addServerJobs(jobs: Jobs, servers: MediaServers): void {
  jobs.add(
    {
      name: 'media servers',
      everyMs: READ_SERVERS_EVERY_MS,
      runs: 'process',
      run: () => servers.refresh(),
    },
    {
      name: 'probes of media servers',
      everyMs: PROBE_EVERY_MS,
      runs: 'site',
      run: () => servers.probe(),
    },
    {
      name: 'load of media servers',
      everyMs: COUNT_LOAD_EVERY_MS,
      runs: 'site',
      run: () => servers.countLoad(),
    },
    {
      name: 'seals of media servers',
      everyMs: MINUTE_MS,
      runs: 'site',
      run: () => servers.reseal(),
    },
  );
}

export type Media = Awaited<ReturnType<typeof createMedia>>;
