import {
  createFocusRepository,
  createTodayRepository,
  FocusService,
  visitsOfSeats,
} from '../src/features/focus/index.ts';
import type { Notices } from '../src/features/realtime/index.ts';
import { createRoomsRepository, RoomsService } from '../src/features/rooms/index.ts';
import type { SanctionsService } from '../src/features/sanctions/index.ts';
import { createLogger } from '../src/platform/logger/index.ts';
import type { TestApp } from './test-app.ts';

/** Rooms and focus of another process of the site, for methods without a route. */
export function createFocusService({ database, clock }: TestApp) {
  const repository = createRoomsRepository(database, visitsOfSeats);
  const rooms = new RoomsService({ repository, backplane: { processes: 1 }, clock, capacity: 20 });
  const focus = new FocusService({
    ...{ rooms, database, clock, checkedClock: clock },
    repository: createFocusRepository(database),
    todays: createTodayRepository(database),
    sanctions: { inForce: { isMuted: () => false } } as unknown as SanctionsService,
    notices: { send: () => undefined } as unknown as Notices,
    logger: createLogger('silent', process.stdout),
  });
  return { rooms, focus };
}
