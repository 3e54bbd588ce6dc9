import { join } from 'node:path';
import { createServer } from 'vite';
import { root } from './places.mjs';

const API = `http://127.0.0.1:${process.env.PORT || 3000}`;

/** The pages with hot reload; everything that the API serves is passed on to it. */
const server = await createServer({
  root: join(root, 'apps/web'),
  server: {
    proxy: {
      '/api': API,
      '/ws': { target: API, ws: true },
      '/livekit': { target: API, ws: true },
    },
  },
});
await server.listen();
server.printUrls();
process.on('disconnect', () => process.exit());
