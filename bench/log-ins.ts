import { request } from 'node:http';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { login } from '@mogakgong/contract';
import type { LoadRequest, Measured } from './one-room/load.ts';
import { startGenerator } from './support/generator.ts';
import { machineLine } from './support/processes.ts';
import {
  inRunDir,
  newSecret,
  orStop,
  seatLearners,
  startApi,
  startDatabase,
} from './support/product.ts';
import { percentile, tableRow } from './support/statistics.ts';

/**
 * 200 learners ask for today and profile and chat: what they wait for, without and beside 300 log-ins at
 * once, which begin again as soon as all are answered. An unknown address costs the same Argon2 as a password.
 *
 *     npm run bench:log-ins -- [seconds]
 */
const SECONDS = Number(process.argv[2] ?? 30);
const WARM_UP_SECONDS = 8;
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

/** Repeats the log-ins until `signal`; how many were answered with each status. */
async function keepLoggingIn(port: number, signal: AbortSignal): Promise<string> {
  const counts = new Map<number, number>();
  while (!signal.aborted) {
    const statuses = await Promise.all(Array.from({ length: LOG_INS }, (_, at) => logIn(port, at)));
    for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
    await delay(0);
  }
  return [...counts].map(([status, count]) => `${status}: ${count}`).join(', ');
}

interface Phase extends Measured {
  readonly name: string;
  readonly logIns: string;
}

async function measure(runDir: string): Promise<readonly Phase[]> {
  const database = await startDatabase(runDir);
  const secret = newSecret();
  const learners = await seatLearners(database.url, { rooms: 10, members: 20, secret });
  const env = { DATABASE_URL: database.url, AUTH_SECRET: secret, RATE_LIMIT_SCALE: '1000' };
  const api = await orStop(database, startApi({ runDir, name: 'api', env }));
  const load = startGenerator<LoadRequest>(path.join(import.meta.dirname, 'one-room/load.ts'));
  try {
    await load.ask({ do: 'connect', port: api.port, learners });
    const live = (seconds: number) => load.ask({ do: 'live', seconds }) as Promise<Measured>;
    await live(WARM_UP_SECONDS);
    const quiet = await live(SECONDS);
    const stop = new AbortController();
    const loggingIn = keepLoggingIn(api.port, stop.signal);
    const busy = await live(SECONDS).finally(() => stop.abort());
    return [
      { name: 'without log-ins', logIns: '—', ...quiet },
      { name: `beside ${LOG_INS} log-ins`, logIns: await loggingIn, ...busy },
    ];
  } finally {
    await load.stop();
    await api.stop();
    await database.stop();
  }
}

const three = (samples: readonly number[]) =>
  [0.5, 0.95, 0.99].map((share) => percentile(samples, share).toFixed(1)).join(' / ');

const phases = await inRunDir(measure);
console.log(`\n${machineLine()}; ${SECONDS} s each\n`);
const columns = [
  'HTTP: p50 / p95 / p99 ms',
  'chat: p50 / p95 / p99 ms',
  'failures',
  'log-ins by status',
];
console.log(tableRow('200 learners', ...columns));
console.log(tableRow('---', ...columns.map(() => '---:')));
for (const { name, httpMs, chatMs, failures, logIns } of phases) {
  console.log(tableRow(name, three(httpMs), three(chatMs), failures, logIns));
}
const [quiet, busy] = phases as [Phase, Phase];
const ratio = (of: (phase: Phase) => readonly number[]) =>
  (percentile(of(busy), 0.99) / percentile(of(quiet), 0.99)).toFixed(2);
console.log(
  `\np99 beside ÷ without: HTTP ${ratio(({ httpMs }) => httpMs)}, chat ${ratio(({ chatMs }) => chatMs)}`,
);
