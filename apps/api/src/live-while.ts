import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Env } from './platform/env/index.ts';

/**
 * Answers `/livez` while work of the start is under way, which may take long when a new version changes a large
 * database: a supervisor must not end the process then. Everything else gets 503. A process of the stack, which
 * shares its port with processes that serve, stays silent.
 */
export async function liveWhile<Result>(
  { HOST: host, PORT: port }: Pick<Env, 'HOST' | 'PORT'>,
  work: () => Promise<Result>,
): Promise<Result> {
  if (cluster.isWorker || port === 0) return work();
  const server = createServer((request, response) => {
    const isLive = request.url === '/livez';
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
    response
      .writeHead(isLive ? 200 : 503, { ...headers, ...(!isLive && { 'retry-after': '5' }) })
      .end(JSON.stringify({ status: isLive ? 'live' : 'not ready' }));
  });
  server.listen(port, host);
  await once(server, 'listening');
  try {
    return await work();
  } finally {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
}
