export type { MediaReach, TurnServer } from './configuration.ts';
export { DEFAULT_MEDIA_PORTS } from './free-ports.mjs';
export type { MediaKeys } from './keys.ts';
export { type MediaServer, type MediaServerOptions, startMediaServer } from './media-server.ts';
export type { MediaPorts } from './ports.ts';
