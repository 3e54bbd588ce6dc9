export { serveMedia } from './media.routes.ts';
export { createMediaService, type MediaServerAddress, type MediaService } from './media.service.ts';
export { proxySignalling, SIGNALLING_PATH } from './signalling-proxy.ts';
