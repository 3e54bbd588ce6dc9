import type { ServerResponse } from 'node:http';
import { Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** A client that sends requests one after the other learns within this time that its connection ends. */
const IDLE_GRACE_MS = 500;
/** Shorter than the 10 s after the first signal within which a process ends. */
const DRAIN_DEADLINE_MS = 8_000;

/** Counts pending work, and lets it finish before the process ends. */
export function createRequestDrain(fastify: FastifyInstance) {
  const { server } = fastify;
  const underWay = new Set<Promise<unknown>>();
  let isDraining = false;
  async function untilIdle(): Promise<void> {
    while (underWay.size > 0) await Promise.allSettled(underWay);
  }
  /** Counts a handler, which continues after its client has disconnected. */
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
  // No connection is left by then, but resources of a running handler must stay open.
  fastify.addHook('onClose', untilIdle);

  return {
    track,
    /**
     * Stops listening, answers further requests on open connections with `Connection: close`, and resolves
     * when no work is pending or after 8 s.
     */
    async drain(): Promise<void> {
      if (!server.listening) return;
      isDraining = true;
      // Not `close` of the HTTP server: it cuts idle connections at once, even if their next request is on
      // its way.
      Server.prototype.close.call(server);
      await delay(IDLE_GRACE_MS);
      server.closeIdleConnections();
      const deadline = delay(DRAIN_DEADLINE_MS - IDLE_GRACE_MS, undefined, { ref: false });
      await Promise.race([untilIdle(), deadline]);
    },
  };
}
