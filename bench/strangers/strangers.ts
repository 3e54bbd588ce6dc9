import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startGenerator } from '../support/generator.ts';
import { cpuSeconds, machineLine } from '../support/processes.ts';
import {
  type Api,
  inRunDir,
  newSecret,
  orStop,
  seatLearners,
  startApi,
  startDatabase,
} from '../support/product.ts';
import { percentile, tableRow } from '../support/statistics.ts';
import type { FloodRequest, FloodResult } from './flood.ts';
import { upgradeRequest } from './upgrade-request.ts';

/**
 * Strangers open WebSockets and never log in, again when one is closed, while learners with a token
 * connect: from 40 addresses in as many /24, and from one IPv6 /48 with a /64 for each socket behind our
 * own proxy. Until CONNECTED; a learner who waits longer than 10 s, or is refused, has not connected.
 *
 *     npm run bench:strangers
 */
const STRANGERS = { socketsPerAddress: 50, upgradesPerSecond: 300 };
/** Until as many sockets of strangers are open as there can be; learners come after that. */
const RAMP_SECONDS = 8;
const MEASURED_SECONDS = 30;
const LEARNERS = { rooms: 10, members: 20 };
const CONNECTS_PER_SECOND = 20;
const LEARNER_DEADLINE_MS = 10_000;

interface Attack {
  readonly name: string;
  readonly isForwarded: boolean;
  readonly strangers: readonly string[];
  readonly learner: (index: number) => string;
}

const range = (length: number) => Array.from({ length }, (_, index) => index);
const attacks: readonly Attack[] = [
  {
    name: '40 addresses',
    isForwarded: false,
    strangers: range(40).map((index) => `127.${1 + (index % 4)}.${index}.1`),
    learner: (index) => `127.200.${index % 50}.1`,
  },
  {
    name: 'one IPv6 /48',
    isForwarded: true,
    strangers: range(40).map((index) => `2001:db8:77:${(index * 1_601).toString(16)}::1`),
    learner: (index) => `203.0.113.${index % 200}`,
  },
];

interface Connect {
  readonly port: number;
  readonly token: string;
  readonly address: string;
  readonly isForwarded: boolean;
  /** Whether the upgrade says who it is for, as our client does; else the CONNECT frame alone. */
  readonly isProven: boolean;
}

/** Milliseconds until CONNECTED; null for a learner who is refused or waits too long. */
function timeConnect({
  port,
  token,
  address,
  isForwarded,
  isProven,
}: Connect): Promise<number | null> {
  const startMs = performance.now();
  return new Promise((resolve) => {
    const socket = connect({
      host: '127.0.0.1',
      port,
      ...(!isForwarded && { localAddress: address }),
    });
    let text = '';
    socket.setTimeout(LEARNER_DEADLINE_MS, () => socket.destroy());
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(null));
    socket.on('connect', () =>
      socket.write(
        upgradeRequest({
          forwardedFor: isForwarded ? address : undefined,
          subProtocols: ['v12.stomp', ...(isProven ? [`bearer.${token}`] : [])],
        }),
      ),
    );
    socket.on('data', (bytes) => {
      const isFirst = text === '';
      text += bytes.toString('latin1');
      if (isFirst) socket.write(connectMessage(token));
      if (!text.includes('CONNECTED\n')) return;
      resolve(performance.now() - startMs);
      socket.destroy();
    });
  });
}

/** A CONNECT frame in a WebSocket message whose mask is zero. */
function connectMessage(token: string): Buffer {
  const frame = `CONNECT\naccept-version:1.2\nhost:localhost\nAuthorization:Bearer ${token}\n\n\0`;
  const head = Buffer.from([0x81, 0x80 | 126, 0, 0, 0, 0, 0, 0]);
  head.writeUInt16BE(frame.length, 2);
  return Buffer.concat([head, Buffer.from(frame)]);
}

const generator = startGenerator<FloodRequest>(path.join(import.meta.dirname, 'flood.ts'));

async function measure(api: Api, attack: Attack, tokens: readonly string[]) {
  const { isForwarded, strangers, learner } = attack;
  const seconds = RAMP_SECONDS + MEASURED_SECONDS;
  const flood = generator.ask({
    ...{ ...STRANGERS, seconds, port: api.port, isForwarded, addresses: strangers },
  }) as Promise<FloodResult>;
  await delay(RAMP_SECONDS * 1_000);
  const cpuBefore = cpuSeconds([api.pid()]);
  const connects: { isProven: boolean; tookMs: Promise<number | null> }[] = [];
  const startMs = performance.now();
  while (performance.now() - startMs < MEASURED_SECONDS * 1_000) {
    const index = connects.length;
    const isProven = index % 2 === 0;
    const token = tokens[index % tokens.length] ?? '';
    const tookMs = timeConnect({
      port: api.port,
      token,
      address: learner(index),
      isForwarded,
      isProven,
    });
    connects.push({ isProven, tookMs });
    await delay(1_000 / CONNECTS_PER_SECOND);
  }
  const { answers, mostOpen } = await flood;
  const cpu = cpuSeconds([api.pid()]) - cpuBefore;
  for (const isProven of [true, false]) {
    const own = connects.filter((connect) => connect.isProven === isProven);
    const times = await Promise.all(own.map(({ tookMs }) => tookMs));
    const done = times.filter((ms) => ms !== null);
    const ms = (share: number) => (done.length === 0 ? '–' : percentile(done, share).toFixed(0));
    console.log(
      tableRow(
        attack.name,
        isProven ? 'in the upgrade' : 'in CONNECT only',
        `${done.length} of ${own.length} (${((100 * done.length) / own.length).toFixed(1)} %)`,
        `${ms(0.5)} / ${ms(0.95)} / ${ms(1)}`,
        mostOpen,
        (cpu / MEASURED_SECONDS).toFixed(2),
        Object.entries(answers)
          .map(([status, count]) => `${status}: ${count}`)
          .join(', '),
      ),
    );
  }
}

async function run(runDir: string): Promise<void> {
  const database = await startDatabase(runDir);
  const secret = newSecret();
  const learners = await seatLearners(database.url, { ...LEARNERS, secret });
  const tokens = learners.map(({ token }) => token);
  console.log(`\n${machineLine()}\n`);
  console.log(
    tableRow(
      'strangers',
      'a learner gives the token',
      'connected',
      'p50 / p95 / max ms',
      'strangers’ sockets at most',
      'cores of the API',
      'answers to strangers',
    ),
  );
  console.log(tableRow('---', '---', '---:', '---:', '---:', '---:', '---'));
  try {
    for (const attack of attacks) {
      const env = {
        DATABASE_URL: database.url,
        AUTH_SECRET: secret,
        TRUST_PROXY: String(attack.isForwarded),
      };
      const api = await orStop(database, startApi({ runDir, name: 'api', env }));
      await measure(api, attack, tokens).finally(() => api.stop());
    }
  } finally {
    await generator.stop();
    await database.stop();
  }
}

await inRunDir(run);
