export { createRoomsRepository } from './rooms.repository.ts';
export { serveRooms } from './rooms.routes.ts';
export { createRoomsService, type RoomsService } from './rooms.service.ts';
export type { RoomsTables } from './rooms.tables.ts';
