import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Logger } from '../logger/index.ts';
import type { Metrics } from './catalogue.ts';

interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly logger: Logger;
}

const PATH = '/metrics';

/**
 * Serves `GET /metrics` on a port of its own, which is never public.
 * @returns closes it at once.
 */
export async function serveMetrics(
  metrics: Pick<Metrics, 'scrape' | 'contentType'>,
  { host, port, logger }: ServeOptions,
): Promise<() => Promise<void>> {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== PATH) {
      response.writeHead(404).end();
      return;
    }
    try {
      const text = await metrics.scrape();
      response.writeHead(200, { 'content-type': metrics.contentType }).end(text);
    } catch (error) {
      logger.error({ err: error }, 'the metrics cannot be read');
      response.writeHead(500).end();
    }
  });
  server.listen({ host, port });
  await once(server, 'listening');
  const address = server.address();
  const bound = typeof address === 'object' && address ? address.port : port;
  logger.info({ host, port: bound }, 'serving metrics');
  return async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
}
