import type { UserId } from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import { sweepInSlices } from '../../platform/database/index.ts';
import type { RoomsRepository } from './rooms.repository.ts';
import type { RoomsService } from './rooms.service.ts';

/** A seat is given up after this time without proof of life (design §5). */
export const SILENT_SEAT_MS = 10 * 60_000;
/** Sweeps for silent seats run more often than this; a longer gap is an outage of our own. */
const SWEEP_PAUSE_MS = 30_000;
/** Within this time after such a pause every browser has reconnected. */
const TRUST_SILENCE_AFTER_MS = 60_000;

interface SweepParts {
  readonly repository: Pick<RoomsRepository, 'findSilentSeats' | 'giveUpSilentSeats'>;
  readonly clock: Clock;
  readonly rooms: RoomsService;
}

/**
 * Repeated: gives up the seats of learners who have disappeared; returns their number. After a pause (a
 * suspended machine, an unavailable database) everybody was silent: no seat is given up until connected
 * learners have had time to be seen again.
 */
export function createSilentSeatSweep({ repository, clock, rooms }: SweepParts) {
  /** When the last sweep ended, and since when there was no pause. */
  let sweptAtMs = 0;
  let sweepingSinceMs = 0;
  return async (): Promise<number> => {
    const nowMs = clock.now().getTime();
    if (nowMs - sweptAtMs > SWEEP_PAUSE_MS) sweepingSinceMs = nowMs;
    const isTrusted = nowMs - sweepingSinceMs >= TRUST_SILENCE_AFTER_MS;
    // Queried in any case: only an answer shows that the database is available.
    const since = new Date(isTrusted ? nowMs - SILENT_SEAT_MS : 0);
    let givenUp = 0;
    await sweepInSlices<UserId>({
      find: (after, limit) => repository.findSilentSeats(since, after, limit),
      work: async (userIds) => {
        const changes = await repository.giveUpSilentSeats(userIds, since);
        // A sweep over very many seats is no pause.
        sweptAtMs = clock.now().getTime();
        rooms.publish('left', changes);
        givenUp += changes.length;
      },
    });
    sweptAtMs = clock.now().getTime();
    return givenUp;
  };
}
