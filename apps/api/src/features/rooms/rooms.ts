import {
  checkEntry,
  enterRoom,
  getBusyHours,
  getLiveliness,
  leaveRoom,
  type MediaAccess,
} from '@mogakgong/contract';
import type { Caller } from '../../platform/http/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { createBusyHours } from './busy-hours.ts';
import { createRoomsRepository } from './rooms.repository.ts';
import { RoomsService, type TakenPlace } from './rooms.service.ts';
import type { VisitsOfSeats } from './roster-queries.ts';
import { createSilentSeatSweep } from './silent-seats.ts';

const GIVE_UP_SILENT_SEATS_EVERY_MS = 5_000;

/** Rooms and their seats. */
export function createRooms(
  { env, database, backplane, jobs, checkedClock: clock }: AppContext,
  visits: VisitsOfSeats,
): RoomsService {
  const repository = createRoomsRepository(database, visits);
  const rooms = new RoomsService({ repository, backplane, clock, capacity: env.ROOM_CAPACITY });
  jobs.add({
    name: 'silent seats',
    everyMs: GIVE_UP_SILENT_SEATS_EVERY_MS,
    runs: 'site',
    run: createSilentSeatSweep({ repository, clock, rooms }),
  });
  return rooms;
}

/** @param findAccess to the media server, for a seat that was just taken; undefined if unavailable. */
export function serveRooms(
  context: AppContext,
  rooms: RoomsService,
  findAccess: (caller: Caller, place: TakenPlace) => Promise<MediaAccess | undefined>,
): void {
  const { http } = context;
  const findBusyHours = createBusyHours(context);
  http.serve(enterRoom, async ({ caller, query, consumeLimit }) => {
    const place = await rooms.enter(caller, {
      roomId: query.roomId,
      beforeChange: () => consumeLimit(enterRoom.limit),
    });
    return { roomId: place.roomId, media: await findAccess(caller, place) };
  });

  http.serve(checkEntry, async ({ caller, params }) => ({
    ...params,
    ...(await rooms.checkEntry(caller, params.roomId)),
  }));

  http.serve(leaveRoom, async ({ caller }) => ({ left: await rooms.leave(caller.userId) }));

  http.serve(getLiveliness, async () => rooms.findLiveliness());
  http.serve(getBusyHours, async () => ({ hours: await findBusyHours() }));
}
