import { setTimeout as delay } from 'node:timers/promises';
import { RECONNECT_DELAY_MS } from '@mogakgong/contract';
import { machineLine } from '../support/processes.ts';
import {
  type Api,
  inRunDir,
  newSecret,
  orStop,
  type RunDatabase,
  type SeatedLearner,
  seatLearners,
  startApi,
  startDatabase,
} from '../support/product.ts';
import { tableRow } from '../support/statistics.ts';
import { Connection } from './connection.ts';

/**
 * Two thousand learners in a hundred rooms lose the API to kill -9 and come back: how long until each
 * has CONNECTED and the recovery of its chat, and how many queries that costs. Once with the wait and
 * jitter of our client (specification §9), once with everybody trying again every 250 ms.
 *
 *     npm run bench:reconnect
 */
const SIZE = { rooms: 100, members: 20 };
const DEADLINE_MS = 60_000;
const RETRY_EVERY_MS = 250;
const LOCAL_ADDRESSES = 8;
const OPENING_AT_ONCE = 200;

const frame = (command: string, ...headers: string[]) =>
  `${[command, ...headers].join('\n')}\n\n\0`;

/** One tab of our client, as far as its connection goes. */
class Tab {
  readonly #learner: SeatedLearner;
  readonly #port: number;
  readonly #address: string;
  #connection: Connection | undefined;
  #retryMs: () => number;
  #isStopped = false;
  #lastId = '';
  isBack = false;
  tries = 0;

  constructor(learner: SeatedLearner, port: number, index: number, retryMs: () => number) {
    this.#learner = learner;
    this.#port = port;
    this.#address = `127.0.0.${2 + (index % LOCAL_ADDRESSES)}`;
    this.#retryMs = retryMs;
  }

  connect(): void {
    this.tries += 1;
    this.#connection = new Connection({
      port: this.#port,
      localAddress: this.#address,
      path: '/ws/websocket',
      subProtocol: 'v12.stomp',
      onOpen: (connection) =>
        connection.send(
          frame(
            'CONNECT',
            'accept-version:1.2',
            'host:localhost',
            'heart-beat:0,0',
            `Authorization:Bearer ${this.#learner.token}`,
          ),
        ),
      onMessage: (connection, payload) => this.#receive(connection, payload.toString('utf8')),
      onClose: () => void this.#retry(),
    });
  }

  /** How long it waits before the next try. */
  retryAfter(ms: () => number): void {
    this.#retryMs = ms;
  }

  stop(): void {
    this.#isStopped = true;
    this.#connection?.cut();
  }

  async #retry(): Promise<void> {
    this.isBack = false;
    if (this.#isStopped) return;
    await delay(this.#retryMs());
    if (!this.#isStopped) this.connect();
  }

  #receive(connection: Connection, text: string): void {
    if (text.startsWith('CONNECTED')) {
      connection.send(
        frame('SUBSCRIBE', 'id:sub-0', 'destination:/topic/messages', `last-id:${this.#lastId}`),
      );
      connection.send(frame('SUBSCRIBE', 'id:sub-1', 'destination:/topic/presence'));
      connection.send(frame('SUBSCRIBE', 'id:sub-2', 'destination:/user/queue/notices'));
    } else if (text.includes('\nkind:recovery\n')) {
      const ids = [...text.matchAll(/"id":"([\d-]+)"/gu)];
      this.#lastId = ids.at(-1)?.[1] ?? this.#lastId;
      this.isBack = true;
    }
  }
}

async function countQueries({ query }: RunDatabase): Promise<number> {
  const [row] = await query<{ calls: number }>(
    `select coalesce(sum(calls), 0)::integer as calls from pg_stat_statements
     where query not like '%pg_stat_statements%'`,
  );
  return row?.calls ?? Number.NaN;
}

async function untilBack(tabs: readonly Tab[], startMs: number): Promise<number> {
  while (tabs.some(({ isBack }) => !isBack)) {
    if (performance.now() - startMs > DEADLINE_MS) {
      throw new Error(`${tabs.filter(({ isBack }) => !isBack).length} did not come back`);
    }
    await delay(20);
  }
  return (performance.now() - startMs) / 1_000;
}

interface Outcome {
  readonly name: string;
  readonly seconds: number;
  readonly queries: number;
  readonly perClient: number;
}

async function storm(
  name: string,
  { tabs, api, database }: { tabs: readonly Tab[]; api: Api; database: RunDatabase },
  retryMs: () => number,
): Promise<Outcome> {
  for (const tab of tabs) tab.retryAfter(retryMs);
  const before = await countQueries(database);
  const startMs = performance.now();
  await api.kill();
  await api.restart();
  const seconds = await untilBack(tabs, startMs);
  const queries = (await countQueries(database)) - before;
  if (process.env.BENCH_QUERIES) {
    console.log(
      await database.query(
        'select calls, left(query, 90) as query from pg_stat_statements order by calls desc limit 14',
      ),
    );
  }
  await database.query('select pg_stat_statements_reset()');
  return { name, seconds, queries, perClient: queries / tabs.length };
}

async function run(runDir: string): Promise<void> {
  const database = await startDatabase(runDir);
  const secret = newSecret();
  const learners = await seatLearners(database.url, { ...SIZE, secret });
  const env = { DATABASE_URL: database.url, AUTH_SECRET: secret, RATE_LIMIT_SCALE: '1000' };
  const api = await orStop(database, startApi({ runDir, name: 'api', env }));
  const spread = () => RECONNECT_DELAY_MS * (0.5 + Math.random());
  const tabs = learners.map((learner, index) => new Tab(learner, api.port, index, spread));
  try {
    for (let from = 0; from < tabs.length; from += OPENING_AT_ONCE) {
      const batch = tabs.slice(from, from + OPENING_AT_ONCE);
      for (const tab of batch) tab.connect();
      await untilBack(batch, performance.now());
    }
    await database.query('select pg_stat_statements_reset()');
    const site = { tabs, api, database };
    const outcomes = [
      await storm('as our client waits: 5 s ± half', site, spread),
      await storm('all at once, every 250 ms', site, () => RETRY_EVERY_MS),
    ];
    console.log(`\n${machineLine()}; ${tabs.length} clients, start of the API included\n`);
    console.log(tableRow('reconnect', 'all back after s', 'queries', 'queries a client'));
    console.log(tableRow('---', '---:', '---:', '---:'));
    for (const { name, seconds, queries, perClient } of outcomes) {
      console.log(tableRow(name, seconds.toFixed(1), queries, perClient.toFixed(3)));
    }
  } finally {
    for (const tab of tabs) tab.stop();
    await api.stop();
    await database.stop();
  }
}

await inRunDir(run);
