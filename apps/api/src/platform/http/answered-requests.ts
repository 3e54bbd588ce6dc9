import { MINUTE_MS } from '@mogakgong/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../logger/index.ts';
import type { Metrics } from '../metrics/index.ts';
import { isHostClear } from './connections.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether this is a route of the contract: its path may be a label. */
    isOfContract?: boolean;
  }
}

/** Logs answered requests, and measures them for operators. */
export function noteAnsweredRequests(
  fastify: FastifyInstance,
  { metrics, logger }: { readonly metrics: Metrics | null; readonly logger: Logger },
): void {
  const countRefused = logRefused(fastify, logger);
  fastify.addHook('onResponse', async (request, reply) => {
    if (metrics) measure(metrics, request, reply);
    if (reply.statusCode === 429) {
      countRefused();
      return;
    }
    // Only calls of the API are limited: a stranger must not fill the log with other requests.
    const isLimited = request.url.startsWith('/api/') && isHostClear(request.raw);
    const level = isLimited || reply.statusCode >= 500 ? 'info' : 'debug';
    const fields = { req: request, res: reply, tookMs: Math.round(reply.elapsedTime) };
    request.log[level](fields, 'request');
  });
}

/** Requests that are refused for coming too often must not fill the log: it gets their number each minute. */
function logRefused(fastify: FastifyInstance, logger: Logger): () => void {
  let refused = 0;
  const counting = setInterval(() => {
    if (refused > 0) logger.info({ count: refused }, 'refused requests that came too often');
    refused = 0;
  }, MINUTE_MS).unref();
  fastify.addHook('onClose', async () => clearInterval(counting));
  return () => {
    refused += 1;
  };
}

/**
 * Counts and times answered requests. All but those of the contract count as `other`, so that no path of a client
 * becomes a label.
 */
function measure(metrics: Metrics, request: FastifyRequest, reply: FastifyReply): void {
  const { url, config } = request.routeOptions;
  const isOurs = config.isOfContract === true;
  const route = isOurs && url !== undefined ? url : 'other';
  // A client may send any of some thirty methods to a path that does not exist.
  const method = isOurs || request.method === 'GET' ? request.method : 'other';
  const status = `${Math.floor(reply.statusCode / 100)}xx`;
  metrics.requests.inc({ method, route, status });
  metrics.requestSeconds.observe({ method, route }, reply.elapsedTime / 1_000);
}
