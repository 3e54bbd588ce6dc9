import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Env } from './platform/env/index.ts';

/**
 * Answers `/livez` until the process serves: a start takes long when a new version changes a large database, and a
 * supervisor must not end the process then. Everything else gets 503. A process of the stack, which shares its port
 * with processes that serve, stays silent.
 * @returns frees the port; may be called twice.
 */
export async function answerLive({
  HOST: host,
  PORT: port,
}: Pick<Env, 'HOST' | 'PORT'>): Promise<() => Promise<void>> {
  if (cluster.isWorker || port === 0) return () => Promise.resolve();
  const server = createServer((request, response) => {
    const isLive = request.url === '/livez';
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
    response
      .writeHead(isLive ? 200 : 503, { ...headers, ...(!isLive && { 'retry-after': '5' }) })
      .end(JSON.stringify({ status: isLive ? 'live' : 'not ready' }));
  });
  server.listen(port, host);
  await once(server, 'listening');
  return async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
}
