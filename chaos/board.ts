import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createTokenMaker, seatLearners } from '../bench/support/product.ts';
import { createRandom } from '../bench/support/random.ts';
import { type BoardVerdict, judgeBoards, readBoards } from './support/board-verdict.ts';
import { startFaults } from './support/faults.ts';
import { Painter } from './support/painter.ts';
import { runChaos } from './support/run-chaos.ts';
import type { Site } from './support/site.ts';

/**
 * Learners draw, move and delete on the boards of their rooms over two API processes, while one of these is
 * killed with -9 every five seconds, connections are cut and stalled, and Redis goes away: nothing that was
 * acknowledged may be lost, and in the end everybody in a room has what the database has.
 *
 *     npm run chaos:board -- [--seed 1] [--seconds 90] [--learners 20]
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '90' },
    learners: { type: 'string', default: '20' },
  },
});
const LEARNERS_PER_ROOM = 10;
const SETTLE_DEADLINE_MS = 90_000;
const COMPARE_EVERY_MS = 500;

/** Waits until all is sent and everybody has what is stored; the verdict says what is not so. */
async function settle(site: Site, painters: readonly Painter[]): Promise<BoardVerdict> {
  const deadlineMs = performance.now() + SETTLE_DEADLINE_MS;
  for (;;) {
    const verdict = judgeBoards(painters, await readBoards(site.database));
    const isDone = painters.every((painter) => painter.isDone);
    if ((isDone && verdict.different === 0) || performance.now() > deadlineMs) return verdict;
    await delay(COMPARE_EVERY_MS);
  }
}

async function run(site: Site): Promise<boolean> {
  const seed = Number(values.seed);
  const random = createRandom(seed);
  const makeToken = createTokenMaker(site.secret);
  const learners = await seatLearners(site.database.url, {
    rooms: Math.max(2, Math.ceil(Number(values.learners) / LEARNERS_PER_ROOM)),
    members: LEARNERS_PER_ROOM,
    secret: site.secret,
  });
  const painters = learners.map(
    ({ userId, roomId }) =>
      new Painter({
        userId,
        roomId,
        makeToken: () => makeToken(userId),
        port: site.proxy.port,
        random: random.split(),
      }),
  );
  for (const painter of painters) painter.start();
  const faults = startFaults(site, random.split(), { hasLongOutage: false });
  await delay(Number(values.seconds) * 1_000);
  for (const painter of painters) painter.finish();
  await faults.stop();
  const verdict = await settle(site, painters);
  const allSent = painters.every(({ isDone }) => isDone);
  for (const painter of painters) painter.stop();

  const sum = (of: (painter: Painter) => number) => painters.reduce((all, one) => all + of(one), 0);
  const figures = {
    seed,
    learners: painters.length,
    'drawn for seconds': Number(values.seconds),
    ...faults.counts,
    connects: sum(({ connects }) => connects),
    'boards read': sum(({ reads }) => reads),
    refusals: sum(({ refusals }) => refusals),
    'changes acknowledged': sum(({ acknowledgements }) => acknowledgements),
    ...verdict,
    'all acknowledged': allSent,
  };
  for (const [name, value] of Object.entries(figures)) console.log(`${name}: ${value}`);
  const { lost, different, elements } = verdict;
  return allSent && elements > 0 && lost + different === 0;
}

await runChaos(run);
