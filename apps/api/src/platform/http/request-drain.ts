import type { ServerResponse } from 'node:http';
import { Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** A client that sends one request after the other learns within this time that its connection ends. */
const IDLE_GRACE_MS = 500;
/** Shorter than the 10 s in which a process has ended after its first signal. */
const DRAIN_DEADLINE_MS = 8_000;

/**
 * Lets the requests under way finish before a process ends.
 * @returns what stops listening, answers what still comes on open connections with
 * `Connection: close`, and resolves when no request is under way or 8 s are over.
 */
export function createRequestDrain(fastify: FastifyInstance): () => Promise<void> {
  const { server } = fastify;
  const underWay = new Set<ServerResponse>();
  let isDraining = false;
  let onIdle: (() => void) | undefined;
  server.on('request', (_request, response: ServerResponse) => {
    underWay.add(response);
    response.once('close', () => {
      underWay.delete(response);
      if (underWay.size === 0) onIdle?.();
    });
  });
  fastify.addHook('onSend', async (_request, reply) => {
    if (isDraining) reply.header('connection', 'close');
  });

  return async () => {
    if (!server.listening) return;
    isDraining = true;
    const idle = new Promise<void>((resolve) => {
      onIdle = resolve;
    });
    // Not the method of an HTTP server: it cuts idle connections at once, also one whose next
    // request is on its way.
    Server.prototype.close.call(server);
    await delay(IDLE_GRACE_MS);
    server.closeIdleConnections();
    if (underWay.size > 0) await Promise.race([idle, delay(DRAIN_DEADLINE_MS - IDLE_GRACE_MS)]);
  };
}
