export { Presence } from './presence.ts';
export { PresenceAnnouncer } from './presence-announcer.tsx';
