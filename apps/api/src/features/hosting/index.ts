export {
  endGroupRoom,
  exclude,
  liftExclusion,
  openGroupRoom,
  renameGroupRoom,
} from './group-rooms.repository.ts';
export { isHostedRoom } from './hosting.repository.ts';
export { type HostingService, newInvitation } from './hosting.service.ts';
export { createHosting } from './hosting.ts';
