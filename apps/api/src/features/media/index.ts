export type { MediaServerAddress } from './media.service.ts';
export { createMedia } from './media.ts';
export { SIGNALLING_PATH } from './signalling-proxy.ts';
