import {
  createConnectionTest,
  createMediaToken,
  type MediaAccess,
  type RoomId,
  type UserId,
} from '@mogakgong/contract';
import type { HealthCheck } from '../../platform/health/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import type { TakenPlace } from '../rooms/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { createConnectionTests, createRunningTests } from './connection-test.ts';
import { createMediaService, type MediaUses } from './media.service.ts';
import { RoomChecks } from './room-checks.ts';
import { proxySignalling } from './signalling-proxy.ts';
import { serveWebhook } from './webhook.ts';

const CHECK_SILENT_EVERY_MS = 5_000;
const RECONCILE_EVERY_MS = 30_000;

/**
 * Tokens for the media server, its signalling on our own port, and checks of the participants of its rooms.
 */
export function createMedia(context: AppContext, uses: MediaUses) {
  const parts = { ...context, ...uses };
  const { server, http, jobs, rooms, logger } = parts;
  const media = createMediaService(parts);
  http.serve(createMediaToken, async ({ caller, body }) =>
    media.createToken(caller, await media.findOwnPlace(caller, body.roomName)),
  );

  const tests = createConnectionTests(parts);
  http.serve(createConnectionTest, ({ caller }) => tests.create(caller));

  const checks = new RoomChecks(parts);
  const running = createRunningTests((test) => checks.endTest(test));
  proxySignalling({ ...parts, media, tests, running, checks });
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
  const checkSilent = whileAvailable(() => checks.checkSilent());
  const reconcile = whileAvailable(() => checks.reconcile());
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
      if (!server.isAvailable()) return undefined;
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
    findCameras: async (roomId: RoomId) =>
      server.isAvailable() ? checks.findCameras(roomId) : null,
    health: (): HealthCheck => ({
      state: server.isAvailable() ? 'up' : 'degraded',
      removed: checks.removals,
    }),
  };
}

export type Media = ReturnType<typeof createMedia>;
