import type { UserId } from '@mogakgong/contract';
import type { Realtime } from './app-realtime.ts';
import type { Media } from './features/media/index.ts';
import type { RoomsService } from './features/rooms/index.ts';
import { createSanctionsRepository, SanctionsService } from './features/sanctions/index.ts';
import type { Backplane } from './platform/backplane/index.ts';
import type { Clock } from './platform/clock/index.ts';
import type { Database } from './platform/database/index.ts';
import type { Jobs } from './platform/jobs/index.ts';
import type { Logger } from './platform/logger/index.ts';

/** Repeats the work of the backplane: a decision takes effect within two seconds in any case. */
const LEARN_EVERY_MS = 1_000;
const DELETE_OLD_EVERY_MS = 60 * 60_000;

interface SanctionsParts {
  readonly database: Database;
  readonly backplane: Backplane;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly authSecret: string;
}

/** The service of sanctions, loaded before the first request is answered. */
export async function createSanctions(parts: SanctionsParts): Promise<SanctionsService> {
  const repository = createSanctionsRepository(parts.database);
  const sanctions = new SanctionsService({ ...parts, repository });
  await sanctions.standing.learn();
  return sanctions;
}

interface EnforcedParts {
  readonly rooms: RoomsService;
  readonly media: Media;
  readonly realtime: Realtime;
}

/** Applies sanctions to connections, seats and cameras, in every process. */
export function enforceSanctions(
  { jobs, logger }: { readonly jobs: Jobs; readonly logger: Logger },
  sanctions: SanctionsService,
  { rooms, media, realtime }: EnforcedParts,
): void {
  const { standing } = sanctions;

  /** Gives up seats that their learners may no longer hold; the media server then removes them. */
  async function correctSeats(userIds: readonly UserId[]): Promise<void> {
    for (const seat of (await rooms.findSeats(userIds)).values()) {
      const { userId, roomId, id } = seat;
      const isClosed = standing.closedRoomsOf(userId).includes(roomId);
      if (isClosed || standing.isSuspended(userId)) await rooms.leave(userId, id);
      else if (standing.find(userId, 'cameraOff')) media.checkSoon(roomId);
    }
  }

  standing.onNews((userId) => {
    realtime.notices.sendHere(userId, { kind: 'sanctions' });
    // The camera may be on again.
    rooms.findSeat(userId).then(
      (seat) => seat && media.checkSoon(seat.roomId),
      (error: unknown) => logger.warn({ err: error, userId }, 'could not look for a camera'),
    );
  });
  standing.onChange(async (userIds) => {
    for (const userId of userIds) {
      if (!standing.isSuspended(userId)) continue;
      realtime.hub.endAccount(userId);
      void media.endTestsOf(userId);
    }
    await correctSeats(userIds);
  });
  jobs.add({
    name: 'sanctions',
    everyMs: LEARN_EVERY_MS,
    runs: 'process',
    run: () => standing.learn(),
  });
  jobs.add({
    name: 'old sanctions',
    everyMs: DELETE_OLD_EVERY_MS,
    runs: 'site',
    run: () => sanctions.deleteOld(),
  });
}
