export { PresenceAnnouncer } from './presence-announcer.tsx';
export { usePresence } from './use-presence.ts';
