export { serveNods } from './nods.routes.ts';
export { createNodsService } from './nods.service.ts';
