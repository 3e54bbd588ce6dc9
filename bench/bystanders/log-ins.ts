import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { login } from '@mogakgong/contract';
import { compareBystanders } from './bystanders.ts';

/**
 * 300 log-ins at once beside 200 learners; they begin again as soon as all are answered. An unknown address
 * costs the same Argon2 as a password.
 *
 *     npm run bench:log-ins -- [seconds]
 */
const SECONDS = Number(process.argv[2] ?? 30);
const LOG_INS = 300;

/** The status of the answer to one log-in, from a network of its own. */
function logIn(port: number, at: number): Promise<number> {
  const body = JSON.stringify({ email: `nobody${at}@example.org`, password: 'Blue-lamp-42' });
  const { method, path: route } = login;
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  const localAddress = `127.4.${at % 250}.${1 + Math.floor(at / 250)}`;
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path: route, headers, localAddress };
    const sent = request(options, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Repeats the log-ins for a time; how many were answered with each status. */
async function keepLoggingIn(port: number, seconds: number): Promise<string> {
  const untilMs = performance.now() + seconds * 1_000;
  const counts = new Map<number, number>();
  while (performance.now() < untilMs) {
    const statuses = await Promise.all(Array.from({ length: LOG_INS }, (_, at) => logIn(port, at)));
    for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
    await delay(0);
  }
  return [...counts].map(([status, count]) => `${status}: ${count}`).join(', ');
}

await compareBystanders(
  {
    name: `${LOG_INS} log-ins`,
    results: 'log-ins by status',
    // The limit of a network counts log-ins; here they are what is measured.
    env: { RATE_LIMIT_SCALE: '1000' },
    prepare: async ({ port }) => ({
      run: (seconds) => keepLoggingIn(port, seconds),
      stop: async () => undefined,
    }),
  },
  SECONDS,
);
