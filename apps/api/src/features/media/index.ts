export { serveMedia } from './media.routes.ts';
export { createMediaService, type MediaServerAddress } from './media.service.ts';
export { proxySignalling, SIGNALLING_PATH } from './signalling-proxy.ts';
