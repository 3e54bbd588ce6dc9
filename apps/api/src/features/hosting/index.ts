export { createAdmissionsRepository } from './admissions.repository.ts';
export { createAdmissionsService } from './admissions.service.ts';
export { createCameraRuleRepository } from './camera-rule.repository.ts';
export { CameraRule } from './camera-rule.ts';
export { createHostingRepository, isHostedRoom, isHosting } from './hosting.repository.ts';
export { serveHosting } from './hosting.routes.ts';
export { HostingService } from './hosting.service.ts';
export { createRoomEndsRepository } from './room-ends.repository.ts';
