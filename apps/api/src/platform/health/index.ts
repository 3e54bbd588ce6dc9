import type { FastifyInstance } from 'fastify';

export interface HealthCheck {
  /** `down` makes the process not ready; `degraded` is shown and served on. */
  readonly state: 'up' | 'degraded' | 'down';
  /** Anything an operator wants to know beside the state. */
  readonly [detail: string]: unknown;
}

/** They tell what is known already: whoever asks whether the process serves has its answer at once. */
type HealthChecks = Readonly<Record<string, () => HealthCheck>>;

/**
 * `/livez`: the process answers. `/readyz`: it can serve; 503 when a check is down or while it stops.
 * @returns a switch that makes `/readyz` say no before the process stops.
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
