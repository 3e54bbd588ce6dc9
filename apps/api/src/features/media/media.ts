import {
  createConnectionTest,
  createMediaToken,
  type MediaAccess,
  type RoomId,
  type UserId,
} from '@mogakgong/contract';
import type { HealthCheck } from '../../platform/health/index.ts';
import type { Caller, HttpServer } from '../../platform/http/index.ts';
import type { Jobs } from '../../platform/jobs/index.ts';
import type { Limits } from '../../platform/limits/index.ts';
import type { Logger } from '../../platform/logger/index.ts';
import type { BlockedPairs } from '../blocks/index.ts';
import type { RoomsService } from '../rooms/index.ts';
import type { SanctionsService } from '../sanctions/index.ts';
import type { UsersService } from '../users/index.ts';
import { createConnectionTests, createRunningTests } from './connection-test.ts';
import { createMediaService, type MediaServerAddress } from './media.service.ts';
import { RoomChecks } from './room-checks.ts';
import { proxySignalling, SIGNALLING_PATH } from './signalling-proxy.ts';
import { serveWebhook } from './webhook.ts';

const CHECK_SILENT_EVERY_MS = 5_000;
const RECONCILE_EVERY_MS = 30_000;

interface MediaParts {
  readonly server: MediaServerAddress;
  readonly http: HttpServer;
  readonly jobs: Jobs;
  readonly users: UsersService;
  readonly pairs: BlockedPairs;
  readonly rooms: RoomsService;
  readonly sanctions: SanctionsService;
  readonly limits: Limits;
  readonly logger: Logger;
}

/**
 * Tokens for the media server, its signalling on our own port, and checks of the participants of its rooms.
 */
export function createMedia(parts: MediaParts) {
  const { server, http, jobs, users, rooms, sanctions, logger } = parts;
  const media = createMediaService({ server, rooms, standing: sanctions.standing });
  const createToken = async (caller: Caller, roomName: string) => {
    const { nickname } = await users.getProfile(caller.userId);
    return media.createToken({ roomName, caller, displayName: nickname });
  };
  http.serve(createMediaToken, ({ caller, body }) => createToken(caller, body.roomName));

  const tests = createConnectionTests({ server, standing: sanctions.standing });
  http.serve(createConnectionTest, ({ caller }) => tests.create(caller));

  const checks = new RoomChecks({ server, rooms, sanctions, logger });
  const running = createRunningTests((test) => checks.endTest(test));
  if (server.publicUrl === SIGNALLING_PATH) {
    proxySignalling({ ...parts, media, tests, running, checks });
  }
  serveWebhook(http, server, checks);
  const checkSoon = (roomId: RoomId) => {
    if (!server.isAvailable()) return;
    checks
      .check(roomId)
      .catch((error: unknown) => logger.warn({ err: error, roomId }, 'could not check a room'));
  };
  rooms.onRoster(({ type, roomId }) => {
    if (type === 'left') checkSoon(roomId);
  });
  const whileAvailable = (work: () => Promise<void>) => async () => {
    if (server.isAvailable()) await work();
  };
  jobs.add({
    name: 'silent learners in media',
    everyMs: CHECK_SILENT_EVERY_MS,
    runs: 'site',
    run: whileAvailable(() => checks.checkSilent()),
  });
  jobs.add({
    name: 'rooms of the media server',
    everyMs: RECONCILE_EVERY_MS,
    runs: 'site',
    run: whileAvailable(() => checks.reconcile()),
  });

  return {
    /** For a seat that was just taken, so that its browser need not ask; undefined if it has to. */
    async findAccess(caller: Caller, roomId: RoomId): Promise<MediaAccess | undefined> {
      if (!server.isAvailable()) return undefined;
      try {
        return await createToken(caller, String(roomId));
      } catch (error) {
        logger.debug({ err: error, roomId }, 'a seat was taken without access to the media server');
        return undefined;
      }
    },
    /** Compares a room of the media server with its seats and with the learners' permissions. */
    checkSoon,
    /** Ends the connection tests of a suspended learner. */
    endTestsOf: (userId: UserId) => running.endOf(userId),
    /** The cameras shown in a room; null while the media server does not answer. */
    findCameras: async (roomId: RoomId) =>
      server.isAvailable() ? checks.findCameras(roomId) : null,
    health: (): HealthCheck => ({
      state: server.isAvailable() ? 'up' : 'degraded',
      removed: checks.removals,
    }),
  };
}

export type Media = ReturnType<typeof createMedia>;
