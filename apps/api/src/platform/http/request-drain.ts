import type { ServerResponse } from 'node:http';
import { Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** A client that sends one request after the other learns within this time that its connection ends. */
const IDLE_GRACE_MS = 500;
/** Shorter than the 10 s in which a process has ended after its first signal. */
const DRAIN_DEADLINE_MS = 8_000;

/** Counts what is under way, and lets it finish before a process ends. */
export function createRequestDrain(fastify: FastifyInstance) {
  const { server } = fastify;
  const underWay = new Set<Promise<unknown>>();
  let isDraining = false;
  async function untilIdle(): Promise<void> {
    while (underWay.size > 0) await Promise.allSettled(underWay);
  }
  /** Counts a handler, which goes on when its client has gone. */
  function track<Work extends Promise<unknown>>(work: Work): Work {
    const end = () => void underWay.delete(work);
    underWay.add(work);
    void work.then(end, end);
    return work;
  }
  server.on('request', (_request, response: ServerResponse) => {
    void track(new Promise<void>((resolve) => response.once('close', resolve)));
  });
  fastify.addHook('onSend', async (_request, reply) => {
    if (isDraining) reply.header('connection', 'close');
  });
  // No connection is left by then, but what a handler uses must not be closed under it.
  fastify.addHook('onClose', untilIdle);

  return {
    track,
    /**
     * Stops listening, answers what still comes on open connections with `Connection: close`, and
     * resolves when nothing is under way or 8 s are over.
     */
    async drain(): Promise<void> {
      if (!server.listening) return;
      isDraining = true;
      // Not the method of an HTTP server: it cuts idle connections at once, also one whose next
      // request is on its way.
      Server.prototype.close.call(server);
      await delay(IDLE_GRACE_MS);
      server.closeIdleConnections();
      const deadline = delay(DRAIN_DEADLINE_MS - IDLE_GRACE_MS, undefined, { ref: false });
      await Promise.race([untilIdle(), deadline]);
    },
  };
}
