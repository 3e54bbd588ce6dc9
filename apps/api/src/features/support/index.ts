export { serveSupport } from './support.routes.ts';
export { createSupport } from './support.service.ts';
