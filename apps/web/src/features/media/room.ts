/** For the study room; livekit-client comes after it (media-connection.ts). */
export type { Sending } from './camera-publisher.ts';
export type { Participant } from './participants.ts';
export { type MediaSnapshot, RoomMedia, type SeatAccess } from './room-media.ts';
export { isUnderWay, type RoomState } from './room-state.ts';
