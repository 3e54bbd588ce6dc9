/** The door for the study room: brings livekit-client. */
export type { RoomDoor } from './room-door.ts';
export { RoomSession, type RoomSnapshot } from './room-session.ts';
export type { Refusal, RoomState } from './room-state.ts';
export type { Tile } from './room-tiles.ts';
