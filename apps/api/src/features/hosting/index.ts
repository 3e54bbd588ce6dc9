export { isHostedRoom } from './hosting.repository.ts';
export { type HostingService, newInvitation } from './hosting.service.ts';
export { createHosting } from './hosting.ts';
export {
  endStanding,
  exclude,
  liftExclusion,
  openStanding,
  renameStanding,
} from './standing-rooms.repository.ts';
