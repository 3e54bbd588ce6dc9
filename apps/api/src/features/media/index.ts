export { createMedia, type Media } from './media.ts';
export { MEDIA_USAGE, runMediaCommand } from './media-command.ts';
export { createMediaServers, type MediaServers } from './media-servers.ts';
export type { RoomCameras } from './room-checks.ts';
