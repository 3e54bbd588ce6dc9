export { wayInto } from './room-choice.ts';
export { createRoomsRepository } from './rooms.repository.ts';
export { RoomsService, type RosterEvent, type TakenPlace } from './rooms.service.ts';
export { createRooms, serveRooms } from './rooms.ts';
export {
  countChangedSeats,
  countOneUpdate,
  lockSeats,
  type Roster,
  type Seat,
  type SeatChange,
  type SignOfLife,
  type SilentSeat,
} from './roster-queries.ts';
export { countSeats } from './seat-counts.ts';
export { createSilentSeatSweep, SILENT_SEAT_MS } from './silent-seats.ts';
