import { join } from 'node:path';
import { createServer } from 'vite';
import { root } from './places.mjs';

/** The pages with hot reload; what the API serves is passed on to it (apps/web/vite.config.ts). */
const server = await createServer({ root: join(root, 'apps/web') });
await server.listen();
server.printUrls();
process.on('disconnect', () => process.exit());
