import type { UserId } from '@mogakgong/contract';
import { arrivalBatches, createBatcher } from '../../platform/batch/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Logger } from '../../platform/logger/index.ts';
import type { RealtimeHub } from '../../platform/realtime/index.ts';
import type { RoomsService, SignOfLife } from '../rooms/index.ts';

const BATCH_SIZE = 500;

interface SignsOfLifeParts {
  readonly hub: RealtimeHub;
  readonly rooms: RoomsService;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Notes when connections come and go, to the moment: between two rounds of proof of life they say
 * exactly when a silence began or ended.
 */
export function noteComingsAndGoings({ hub, rooms, clock, logger }: SignsOfLifeParts): void {
  const note = createBatcher(
    async (signs: readonly SignOfLife[]) => {
      await rooms.noteSigns(latestOfEach(signs), 0);
      return signs.map(() => undefined);
    },
    BATCH_SIZE,
    arrivalBatches,
  );
  const noteHeard = (userId: UserId, quietMs: number) => {
    const at = new Date(clock.now().getTime() - quietMs);
    note({ userId, at }).catch((error: unknown) =>
      logger.error({ err: error, userId }, 'could not note a sign of life'),
    );
  };
  hub.onArrival((userId) => noteHeard(userId, 0));
  hub.onDeparture(noteHeard);
}

function latestOfEach(signs: readonly SignOfLife[]): SignOfLife[] {
  const latest = new Map<UserId, SignOfLife>();
  for (const sign of signs) {
    const known = latest.get(sign.userId);
    if (!known || known.at < sign.at) latest.set(sign.userId, sign);
  }
  return [...latest.values()];
}
