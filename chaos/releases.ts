/**
 * The release before this one and this one are one site while its processes are replaced: both run on one schema
 * and one wire. Two learners, one at each, talk, take breaks, and go on after the older process starts again.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { destinations, pauseTimer, resumeTimer } from '@mogakgong/contract';
import { createLogger } from '../apps/api/src/platform/logger/index.ts';
import { startPostgres } from '../apps/stack/src/postgres-server/index.ts';
import {
  type Api,
  inRunDir,
  newSecret,
  type SeatedLearner,
  seatLearners,
  startApi,
} from '../bench/support/product.ts';
import { hasRedis, startRedis } from '../test/redis-server.ts';
import { callApi } from './support/learner-calls.ts';
import { checkOutApi, findReleaseBefore } from './support/release-before.ts';
import { SKIPPED } from './support/run-chaos.ts';
import { StompConnection } from './support/stomp-connection.ts';

const ARRIVES_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 10;
/** The step with which a schema says what can run on it: releases before it refuse a newer one at a start. */
const SAYS_WHAT_RUNS = 'apps/api/migrations/003-breaking-steps.ts';

/** A learner at one process, with everything that arrived. */
class Visitor {
  readonly learner: SeatedLearner;
  readonly #api: Api;
  readonly #received: string[] = [];
  #connection: StompConnection | undefined;

  constructor(learner: SeatedLearner, api: Api) {
    this.learner = learner;
    this.#api = api;
  }

  /** Connects, and waits until the room's members have arrived. */
  async connect(): Promise<void> {
    this.#received.length = 0;
    this.#connection = new StompConnection({
      port: this.#api.port,
      token: this.learner.token,
      onFrame: ({ command, body }) => {
        if (command === 'CONNECTED') this.#subscribe();
        else this.#received.push(`${command} ${body}`);
      },
      onClose: () => undefined,
    });
    await this.hear('MESSAGE', '"kind":"snapshot"');
  }

  say(content: string): void {
    const { userId, roomId } = this.learner;
    this.#connection?.send(
      'SEND',
      { destination: destinations.sendChat, receipt: content, 'client-id': content },
      JSON.stringify({ roomId, senderId: userId, content }),
    );
  }

  async press(route: { method: string; path: string }): Promise<void> {
    const { userId, roomId } = this.learner;
    const baseUrl = `http://127.0.0.1:${this.#api.port}`;
    await callApi({ baseUrl, token: this.learner.token }, route.method, route.path, {
      userId,
      roomId,
    });
  }

  /** Waits for a frame with all of these parts. */
  async hear(...parts: readonly string[]): Promise<void> {
    const endMs = performance.now() + ARRIVES_WITHIN_MS;
    while (performance.now() < endMs) {
      if (this.#received.some((text) => parts.every((part) => text.includes(part)))) return;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
    throw new Error(`${parts.join(' ')} did not arrive; ${this.#received.at(-1) ?? 'nothing'} did`);
  }

  leave(): void {
    this.#connection?.cut();
  }

  #subscribe(): void {
    for (const [id, destination] of [destinations.messages, destinations.presence].entries()) {
      this.#connection?.send('SUBSCRIBE', { id: String(id), destination });
    }
  }
}

/** Each says something and takes a break, and the other hears of it. Returns the longest time of one of these in ms. */
async function meet(one: Visitor, other: Visitor, round: number): Promise<number> {
  const tookMs: number[] = [];
  const time = async (work: () => Promise<void>) => {
    const beganMs = performance.now();
    await work();
    tookMs.push(performance.now() - beganMs);
  };
  for (const [here, there] of [
    [one, other],
    [other, one],
  ] as const) {
    const text = `round-${round}-of-${here.learner.userId}`;
    const clock = [`"type":"clock"`, `"userId":${here.learner.userId}`];
    await time(async () => {
      here.say(text);
      await Promise.all([here.hear('RECEIPT'), there.hear('MESSAGE', text)]);
    });
    await time(async () => {
      await here.press(pauseTimer);
      await there.hear('MESSAGE', ...clock, '"status":"pause"');
    });
    await here.press(resumeTimer);
  }
  return Math.max(...tookMs);
}

async function run(commit: string, folder: string): Promise<void> {
  await using started = new AsyncDisposableStack();
  const postgres = await startPostgres({ dataDir: folder, logger: createLogger('warn') });
  started.defer(() => postgres.stop());
  const redis = await startRedis();
  started.defer(() => redis.close());
  const secret = newSecret();
  const env = { DATABASE_URL: postgres.url, REDIS_URL: redis.url, AUTH_SECRET: secret };

  const tree = path.join(folder, 'before');
  const entry = await checkOutApi(commit, tree);
  const before = await startApi({ runDir: folder, name: 'before', env, entry });
  started.defer(() => before.stop());
  const [first, second] = await seatLearners(postgres.url, { rooms: 1, members: 2, secret });
  if (!first || !second) throw new Error('there are no learners');
  const one = new Visitor(first, before);
  started.defer(async () => one.leave());
  await one.connect();

  const now = await startApi({ runDir: folder, name: 'now', env });
  started.defer(() => now.stop());
  const other = new Visitor(second, now);
  started.defer(async () => other.leave());
  await other.connect();
  const beside = await meet(one, other, 1);
  console.log(
    `${commit.slice(0, 8)} and this release: longest from one to the other ${Math.round(beside)} ms`,
  );

  await before.kill();
  if (!existsSync(path.join(tree, SAYS_WHAT_RUNS))) {
    console.log(
      'the release before refuses the newer schema at a start: it cannot know that it may run',
    );
    return;
  }
  await before.restart();
  await one.connect();
  const again = await meet(one, other, 2);
  console.log(
    `after the older one has started again: longest from one to the other ${Math.round(again)} ms`,
  );
}

const commit = await findReleaseBefore();
if (commit === undefined || !hasRedis) {
  console.log('skipped: this needs the history of the repository, and a redis-server');
  process.exitCode = SKIPPED;
} else {
  await inRunDir((folder) => run(commit, folder));
  console.log('passed');
}
