import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createTokenMaker, seatLearners } from '../bench/support/product.ts';
import { createRandom } from '../bench/support/random.ts';
import { Chatter } from './support/chatter.ts';
import { startFaults } from './support/faults.ts';
import { measureLateLeaves } from './support/late-leavers.ts';
import { runChaos } from './support/run-chaos.ts';
import type { Site } from './support/site.ts';
import { isFlawless, judge, type StoredText } from './support/verdict.ts';

/**
 * Learners chat over two API processes under the stack while one of these is killed with -9 every five seconds,
 * connections are cut and stalled, and Redis goes away: nothing that was acknowledged may be lost,
 * duplicated, reordered, or delivered to another room. Then learners leave at one process while
 * their connections are at the other, which Redis cannot notify.
 *
 *     npm run chaos:chat -- [--seed 1] [--messages 20000] [--learners 50] [--long-outage]
 *
 * With --long-outage Redis is gone for the first minute.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    messages: { type: 'string', default: '20000' },
    learners: { type: 'string', default: '50' },
    'long-outage': { type: 'boolean', default: false },
  },
});
const LEARNERS_PER_ROOM = 10;
const MESSAGES_PER_SECOND_EACH = 8;
const SEND_DEADLINE_MS = 10 * 60_000;
const SETTLE_DEADLINE_MS = 60_000;
/** A process compares its seats with the database every 2 s; a busy machine is slower. */
const LATE_LEAVE_MAX_MS = 3_000;

async function until(condition: () => boolean, deadlineMs: number): Promise<boolean> {
  const endMs = performance.now() + deadlineMs;
  while (!condition()) {
    if (performance.now() > endMs) return false;
    await delay(50);
  }
  return true;
}

const readStored = ({ database }: Site) =>
  database.query<StoredText>(
    `select room_id::integer as "roomId", number::integer, content from chat_message`,
  );

/** Waits until everybody has what is stored; the verdict names what is missing. */
async function settle(site: Site, chatters: readonly Chatter[]): Promise<void> {
  const stored = Map.groupBy(await readStored(site), ({ roomId }) => roomId);
  await until(
    () =>
      chatters.every(({ log, options }) => log.length >= (stored.get(options.roomId)?.length ?? 0)),
    SETTLE_DEADLINE_MS,
  );
}

async function run(site: Site): Promise<boolean> {
  const seed = Number(values.seed);
  const random = createRandom(seed);
  const makeToken = createTokenMaker(site.secret);
  const seated = await seatLearners(site.database.url, {
    rooms: Math.max(2, Math.ceil(Number(values.learners) / LEARNERS_PER_ROOM)) + 1,
    members: LEARNERS_PER_ROOM,
    secret: site.secret,
  });
  const [learners, leavers] = [
    seated.slice(0, -LEARNERS_PER_ROOM),
    seated.slice(-LEARNERS_PER_ROOM),
  ];
  const each = Math.ceil(Number(values.messages) / learners.length);
  const chatters = learners.map(
    ({ userId, roomId }) =>
      new Chatter({
        userId,
        roomId,
        makeToken: () => makeToken(userId),
        port: site.proxy.port,
        random: random.split(),
        texts: Array.from({ length: each }, (_, index) => `${roomId}/${userId}/${index}`),
        messagesPerSecond: MESSAGES_PER_SECOND_EACH,
      }),
  );
  const startedAtMs = performance.now();
  for (const chatter of chatters) chatter.start();
  const faults = startFaults(site, random.split(), { hasLongOutage: values['long-outage'] });
  const allSent = await until(() => chatters.every(({ isDone }) => isDone), SEND_DEADLINE_MS);
  await faults.stop();
  await settle(site, chatters);
  const seconds = (performance.now() - startedAtMs) / 1_000;
  for (const chatter of chatters) chatter.stop();

  const verdict = judge(chatters, await readStored(site));
  const late = await measureLateLeaves(site, leavers, random.split());
  const sum = (of: (chatter: Chatter) => number) => chatters.reduce((all, one) => all + of(one), 0);
  const figures = {
    seed,
    learners: chatters.length,
    ...faults.counts,
    connects: sum(({ connects }) => connects),
    'recovered: true': sum(({ recoveries }) => recoveries.recovered),
    'recovered: false (reloaded)': sum(({ recoveries }) => recoveries.reloaded),
    refusals: sum(({ refusals }) => refusals),
    ...verdict,
    'all acknowledged': allSent,
    seconds: Math.round(seconds),
    'left at one process, connected to the other, without Redis': late.leavers,
    'messages heard after leaving': late.heardAfterwards,
    'the last of them, ms after leaving': late.longestMs,
  };
  for (const [name, value] of Object.entries(figures)) console.log(`${name}: ${value}`);
  return allSent && isFlawless(verdict) && late.longestMs <= LATE_LEAVE_MAX_MS;
}

await runChaos(run);
