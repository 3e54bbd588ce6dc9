export { serveWeb } from './serve-web.ts';
