import {
  endOtherLoginSessions,
  getBlocks,
  getGoal,
  leaveRoom,
  REALTIME_PATH,
} from '@mogakgong/contract';
import type { Page } from '@playwright/test';
import { hasRedis, type RedisServer, startRedis } from '../../test/redis-server.ts';
import { startStack } from '../../test/running-stack.ts';
import {
  callAs,
  enterFromMain,
  expect,
  test as journey,
  logInByApi,
  logInByForm,
  passCameraCheck,
  playOn,
} from '../support/journey.ts';
import { type RefusingProxy, startRefusingProxy } from '../support/refusing-proxy.ts';

// The causes of recoveries.spec.ts that a faulty line in the page cannot play.

const LOST = '연결이 끊겼어요. 다시 연결되면 쓴 메시지를 보내요.';
const LATE = '일부 메시지가 늦게 도착할 수 있어요';
const DRAFT = '쓰다 만 글';

async function openChat(page: Page) {
  await page.getByRole('button', { name: '채팅 열기' }).click();
  const input = page.getByRole('textbox', { name: '메시지' });
  const log = page.getByRole('log');
  await expect(page.locator('[data-chat-connection=connected]')).toBeVisible();
  return {
    input,
    /** Writes a message and the draft of another. */
    async write(text: string) {
      await input.fill(text);
      await input.press('Enter');
      await input.fill(DRAFT);
    },
    async expectSaidOnce(text: string) {
      await expect(log.locator('[data-outgoing]')).toHaveCount(0, { timeout: 60_000 });
      await expect(log.getByText(text, { exact: true })).toHaveCount(1);
      await expect(input).toHaveValue(DRAFT);
    },
  };
}

const behindProxy = journey.extend<{ readonly line: RefusingProxy }>({
  line: async ({ stack }, use) => {
    const proxy = await startRefusingProxy(stack);
    await use(proxy);
    await proxy.close();
  },
  url: async ({ line }, use) => use(line.url),
});

behindProxy('upgrades are refused with 503', async ({ newLearner, line }) => {
  const { page } = await newLearner();
  await enterFromMain(page);
  const chat = await openChat(page);
  line.refuse([REALTIME_PATH]);
  await expect(page.getByText(LOST)).toBeVisible();
  await chat.write('말: 거절된 때');
  await expect.poll(() => line.refusals(), { timeout: 60_000 }).toBeGreaterThan(1);
  await expect(page.getByText(LOST)).toBeVisible();
  // Notices may have been missed: what they carry is asked for again.
  const askedAgain = [getBlocks, getGoal].map(({ path }) =>
    page.waitForRequest((request) => new URL(request.url()).pathname === path, { timeout: 60_000 }),
  );
  line.refuse([]);
  await Promise.all(askedAgain);
  await chat.expectSaidOnce('말: 거절된 때');
  await expect(page.getByText(LOST)).toHaveCount(0);
});

journey('the log-in is ended elsewhere while a message is written', async ({ newLearner }) => {
  const { page, account } = await newLearner();
  const room = await enterFromMain(page);
  const chat = await openChat(page);
  await chat.input.fill(DRAFT);
  const token = await logInByApi(account.email);
  await callAs({ token }, endOtherLoginSessions);
  await page.waitForURL(/\/login/u);
  await expect(page.getByText('로그인이 필요해요.')).toBeVisible();
  await page.goto(`/email-login${new URL(page.url()).search}`);
  await logInByForm(page, account);
  await page.waitForURL(`/studyroom/${room}`);
  await passCameraCheck(page);
  await expect(page.getByRole('textbox', { name: '메시지' })).toHaveValue(DRAFT);
  // The account's first log-in, which leaves after every journey, has ended.
  await callAs({ token }, leaveRoom, { query: { userId: account.userId } });
});

/** Those of the fixture that it replaces: Playwright wants them repeated, but its types refuse `auto` in a literal. */
const FIXTURE_OPTIONS = { scope: 'worker', auto: true } as const;

const withRedis = journey.extend<object, { readonly redis: RedisServer }>({
  redis: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures it needs from the pattern.
    async ({}, use) => {
      const redis = await startRedis();
      await use(redis);
      await redis.close();
    },
    { scope: 'worker' },
  ],
  stack: [
    async ({ redis }, use) => {
      const stack = await startStack('stack-redis', { REDIS_URL: redis.url });
      playOn(stack);
      await use(stack);
      await stack.stop();
    },
    { ...FIXTURE_OPTIONS, timeout: 120_000 },
  ],
});

withRedis.describe('Redis', () => {
  withRedis.skip(!hasRedis, 'there is no redis-server here');

  withRedis('is away', async ({ newLearner, redis }) => {
    const { page } = await newLearner();
    await enterFromMain(page);
    const chat = await openChat(page);
    await redis.kill();
    await expect(page.getByText(LATE)).toBeVisible();
    await chat.write('말: 레디스 없는 때');
    await chat.expectSaidOnce('말: 레디스 없는 때');
    await redis.start();
    await expect(page.getByText(LATE)).toHaveCount(0, { timeout: 60_000 });
    await expect(chat.input).toHaveValue(DRAFT);
  });
});
