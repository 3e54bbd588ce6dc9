import type { FastifyInstance } from 'fastify';

export interface HealthCheck {
  /** `down` makes the process not ready; `degraded` is shown and served on. */
  readonly state: 'up' | 'degraded' | 'down';
  /** Anything an operator wants to know beside the state. */
  readonly [detail: string]: unknown;
}

type HealthChecks = Readonly<Record<string, () => Promise<HealthCheck>>>;

/**
 * `/livez`: the process answers. `/readyz`: it can serve; 503 when a check is down or while it stops.
 * @returns a switch that makes `/readyz` say no before the process stops.
 */
export function serveHealth(fastify: FastifyInstance, checks: HealthChecks): { stop(): void } {
  let isStopping = false;
  let running: Promise<readonly (readonly [string, HealthCheck])[]> | null = null;

  async function runAll() {
    return Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await check()] as const),
    );
  }

  /** However many ask at once, the checks run once. */
  function runOnce() {
    running ??= runAll().finally(() => {
      running = null;
    });
    return running;
  }

  fastify.get('/livez', { schema: { hide: true }, logLevel: 'warn' }, async () => ({
    status: 'live',
  }));

  fastify.get('/readyz', { schema: { hide: true }, logLevel: 'warn' }, async (_request, reply) => {
    const results = await runOnce();
    const states = results.map(([, result]) => result.state);
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
