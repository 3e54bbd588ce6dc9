export { createPresence } from './presence.service.ts';
