export { createMedia, type Media } from './media.ts';
export type { RoomCameras } from './room-checks.ts';
