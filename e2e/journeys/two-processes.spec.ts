import type { Page } from '@playwright/test';
import { fastFolder } from '../../test/data-dir.ts';
import { freePort } from '../../test/free-port.ts';
import { hasRedis, startRedis } from '../../test/redis-server.ts';
import { type RunningStack, startStack } from '../../test/running-stack.ts';
import { answer, bubbleOf, chipOf, expectSaid, inputOf, openChat, say } from '../support/chat.ts';
import { enterFromMain, expect, test as journey, playOn } from '../support/journey.ts';

const PROCESSES = 2;

/** Those of the fixture that it replaces: Playwright wants them repeated, but its types refuse `auto` in a literal. */
const FIXTURE_OPTIONS = { scope: 'worker', auto: true } as const;

interface Site extends RunningStack {
  /** How many learners each process has a realtime connection with. */
  readonly learners: () => Promise<number[]>;
}

/** The product with two API processes, connected by Redis. */
const test = journey.extend<object, { readonly stack: RunningStack; readonly site: Site }>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures it needs from the pattern.
    async ({}, use) => {
      const redis = await startRedis();
      const metricsPort = await freePort();
      const env = {
        API_PROCESSES: String(PROCESSES),
        REDIS_URL: redis.url,
        METRICS_PORT: String(metricsPort),
      };
      const stack = await startStack('two-processes', env, await fastFolder());
      const learnersOf = async (index: number) => {
        const metrics = await fetch(`http://127.0.0.1:${metricsPort + index}/metrics`);
        return Number(
          /^mogakgong_realtime_learners (?<count>\d+)/mu.exec(await metrics.text())?.groups?.count,
        );
      };
      const learners = () =>
        Promise.all(Array.from({ length: PROCESSES }, (_, index) => learnersOf(index)));
      await use({ ...stack, learners });
      await stack.stop();
      await redis.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  stack: [
    async ({ site }, use) => {
      playOn(site);
      await use(site);
    },
    FIXTURE_OPTIONS,
  ],
});

test.skip(!hasRedis, 'there is no redis-server');

/** Opens a learner's page again until the other process has its connection. */
async function moveApart(page: Page, site: Site): Promise<void> {
  await expect(async () => {
    await page.reload();
    await openChat(page);
    expect(await site.learners()).toEqual([1, 1]);
  }).toPass({ timeout: 60_000 });
}

test('a reply and its reactions are the same at two processes', async ({ newLearner, site }) => {
  const [first, second] = [await newLearner(), await newLearner()];
  const roomId = await enterFromMain(first.page);
  expect(await enterFromMain(second.page)).toBe(roomId);
  await openChat(first.page);
  await moveApart(second.page, site);

  await say(first.page, '오늘도 화이팅');
  await expectSaid(second.page, '오늘도 화이팅');
  await answer(second.page, '오늘도 화이팅', '박수');
  await chipOf(first.page, '박수 1명').click();
  await expect(chipOf(second.page, '박수 2명, 나도 남김')).toBeVisible();
  await answer(second.page, '오늘도 화이팅', '답장');
  await expect(inputOf(second.page)).toBeFocused();
  await say(second.page, '같이 해요');
  await expectSaid(first.page, '같이 해요');
  await expect(chipOf(first.page, '답한 메시지 나 오늘도 화이팅')).toBeVisible();
  await answer(first.page, '같이 해요', '좋아요');
  await expect(
    bubbleOf(second.page, '같이 해요').getByRole('button', { name: '좋아요 1명', exact: true }),
  ).toBeVisible();
  expect(await site.learners()).toEqual([1, 1]);

  await first.page.reload();
  await openChat(first.page);
  await expectSaid(first.page, '같이 해요');
  await expect(chipOf(first.page, '박수 2명, 나도 남김')).toBeVisible();
});
