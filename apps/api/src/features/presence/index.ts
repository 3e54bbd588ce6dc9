export { PresenceService } from './presence.service.ts';
