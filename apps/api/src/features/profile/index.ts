export { createProfileRepository } from './profile.repository.ts';
export { serveProfile } from './profile.routes.ts';
export { createProfileService } from './profile.service.ts';
