import type { FastifyInstance } from 'fastify';

export interface HealthCheck {
  /** `down` makes the process not ready; with `degraded` it keeps serving. */
  readonly state: 'up' | 'degraded' | 'down';
  /** Any further details for operators. */
  readonly [detail: string]: unknown;
}

/** Checks return known state without waiting, so that health requests are answered at once. */
type HealthChecks = Readonly<Record<string, () => HealthCheck>>;

/**
 * `/livez`: the process answers. `/readyz`: it can serve; 503 if a check is down or while it stops.
 * @returns a switch that makes `/readyz` answer 503 before the process stops.
 */
export function serveHealth(fastify: FastifyInstance, checks: HealthChecks): { stop(): void } {
  let isStopping = false;

  fastify.get('/livez', { schema: { hide: true }, logLevel: 'warn' }, async () => ({
    status: 'live',
  }));

  fastify.get('/readyz', { schema: { hide: true }, logLevel: 'warn' }, async (_request, reply) => {
    const results = Object.entries(checks).map(([name, check]) => [name, check()] as const);
    const states = results.map(([, { state }]) => state);
    const isReady = !isStopping && !states.includes('down');
    const whenReady = states.includes('degraded') ? 'degraded' : 'ready';
    return reply
      .status(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: isReady ? whenReady : 'not ready', checks: Object.fromEntries(results) });
  });

  return {
    stop() {
      isStopping = true;
    },
  };
}
