/** For the study room: brings livekit-client. */
export type { Sending } from './camera-publisher.ts';
export type { Participant } from './participants.ts';
export { type MediaSnapshot, RoomMedia, type SeatAccess } from './room-media.ts';
export { isUnderWay, type RoomState } from './room-state.ts';
