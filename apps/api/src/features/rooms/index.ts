export { createRoomsRepository } from './rooms.repository.ts';
export { serveRooms } from './rooms.routes.ts';
export { RoomsService, type RosterEvent } from './rooms.service.ts';
export type { Roster, Seat } from './roster-queries.ts';
