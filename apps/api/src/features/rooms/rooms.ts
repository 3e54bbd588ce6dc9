import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Env } from '../../platform/env/index.ts';
import type { Jobs } from '../../platform/jobs/index.ts';
import { createRoomsRepository } from './rooms.repository.ts';
import { RoomsService } from './rooms.service.ts';

const GIVE_UP_SILENT_SEATS_EVERY_MS = 5_000;

interface RoomsFeatureParts {
  readonly env: Env;
  readonly database: Database;
  readonly jobs: Jobs;
  readonly checkedClock: Clock;
}

/** Rooms and their seats. */
export function createRooms({
  env,
  database,
  jobs,
  checkedClock,
}: RoomsFeatureParts): RoomsService {
  const rooms = new RoomsService({
    repository: createRoomsRepository(database),
    clock: checkedClock,
    capacity: env.ROOM_CAPACITY,
  });
  jobs.add({
    name: 'silent seats',
    everyMs: GIVE_UP_SILENT_SEATS_EVERY_MS,
    runs: 'site',
    run: () => rooms.giveUpSilentSeats(),
  });
  return rooms;
}
