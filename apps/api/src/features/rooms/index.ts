export { createRoomsRepository } from './rooms.repository.ts';
export { serveRooms } from './rooms.routes.ts';
export { RoomsService, type RosterEvent, SILENT_SEAT_MS } from './rooms.service.ts';
export { createRooms } from './rooms.ts';
export {
  countChangedSeats,
  countOneUpdate,
  type Roster,
  type Seat,
  type SeatChange,
  type SignOfLife,
  type SilentSeat,
} from './roster-queries.ts';
