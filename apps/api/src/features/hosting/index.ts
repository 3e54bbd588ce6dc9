export { isHostedRoom } from './hosting.repository.ts';
export type { HostingService } from './hosting.service.ts';
export { createHosting } from './hosting.ts';
