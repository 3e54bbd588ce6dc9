import { destinations, getBoard, pauseTimer, resumeTimer } from '@mogakgong/contract';
import type { Page } from '@playwright/test';
import { processTree } from '../../bench/support/processes.ts';
import { postgresPid } from '../../test/running-stack.ts';
import {
  breakableRealtime,
  closedWith,
  endedWith,
  type Failure,
  refusedFrame,
  refusedUpgrade,
  wordsOf,
} from '../support/breakable-realtime.ts';
import { endDrag } from '../support/end-drag.ts';
import {
  callAs,
  enterFromMain,
  expect,
  expectMovingPicture,
  test,
  tileOf,
} from '../support/journey.ts';

const LOST = '연결이 끊겼어요. 다시 연결되면 쓴 메시지를 보내요.';
const HELD_UP = '지금은 서버가 메시지를 저장하지 못하고 있어요.';

interface Cause {
  readonly name: string;
  /** At the message that is sent. */
  readonly fail: Failure;
  /** The server has the message when it fails; nobody knows. */
  readonly isTaken?: boolean;
  /** Each time that it is sent, until the page has said so; once where this is not set. */
  readonly lasts?: boolean;
  /** How the next tries to connect fail. */
  readonly refusals?: readonly Failure[];
  /** What the page says in the end of it; nothing where it goes on at once. */
  readonly says?: string;
  /** Nothing wakes the page: it goes on by its own timers. */
  readonly isAlone?: boolean;
}

const CODES = [1000, 1001, 1006, 1008, 1011, 1012, 1013];

/** How the realtime connection fails. */
const CAUSES: readonly Cause[] = [
  ...CODES.map((code, index) => ({
    name: `closed with ${code}`,
    fail: closedWith(code),
    isTaken: index % 2 === 0,
    says: LOST,
  })),
  { name: 'closed, and nothing wakes the page', fail: closedWith(1012), says: LOST, isAlone: true },
  {
    name: 'unavailable, kept open',
    fail: refusedFrame('unavailable'),
    lasts: true,
    says: HELD_UP,
  },
  {
    name: 'unavailable after it was stored',
    fail: refusedFrame('unavailable'),
    isTaken: true,
    lasts: true,
    says: HELD_UP,
  },
  { name: 'internal, kept open', fail: refusedFrame('internal'), lasts: true, says: HELD_UP },
  { name: 'the token has run out', fail: endedWith('unauthorized', 1008) },
  {
    name: 'the token is refused at CONNECT',
    fail: closedWith(1006),
    isTaken: true,
    refusals: [endedWith('unauthorized', 1008)],
  },
  {
    name: 'unavailable at CONNECT',
    fail: closedWith(1006),
    refusals: [endedWith('unavailable', 1011)],
    says: wordsOf('unavailable'),
  },
  {
    name: 'too many connections',
    fail: closedWith(1006),
    isTaken: true,
    refusals: [endedWith('tooManyConnections', 1008)],
    says: wordsOf('tooManyConnections'),
  },
  {
    name: 'the upgrade is refused twice',
    fail: closedWith(1006),
    refusals: [refusedUpgrade, refusedUpgrade],
    says: LOST,
  },
];

/** As when the browser thaws the page: it need not wait for its timers. */
const wake = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('resume')));

test('whatever ends the realtime connection, the page says so, goes on by itself, and has everything written once', async ({
  newLearner,
}) => {
  const { page, account } = await newLearner();
  const { fault, sayDelivery } = await breakableRealtime(page);
  const room = await enterFromMain(page);
  await page.getByRole('button', { name: '채팅 열기' }).click();
  const input = page.getByRole('textbox', { name: '메시지' });
  const log = page.getByRole('log');
  const connection = page.locator('[data-chat-connection]');
  const expectSaidOnce = async (text: string) => {
    await expect(log.locator('[data-outgoing]')).toHaveCount(0);
    await expect(log.getByText(text, { exact: true })).toHaveCount(1);
  };

  for (const cause of CAUSES) {
    const { name, fail, isTaken = false, lasts = false, refusals = [], says, isAlone } = cause;
    await test.step(name, async () => {
      await expect(connection).toHaveAttribute('data-chat-connection', 'connected');
      fault.next = { destination: destinations.sendChat, isTaken, lasts, fail };
      fault.refusals.push(...refusals);
      await input.fill(`말: ${name}`);
      await input.press('Enter');
      await input.fill(`쓰다 만 글: ${name}`);
      if (!lasts) await expect.poll(() => fault.next).toBeNull();
      for (const left of [...refusals.keys()].reverse()) {
        await expect(page.getByText(LOST)).toBeVisible();
        await expect(async () => {
          await wake(page);
          expect(fault.refusals.length).toBeLessThanOrEqual(left);
        }).toPass();
      }
      if (says !== undefined) await expect(page.getByText(says)).toBeVisible();
      fault.next = null;
      if (!isAlone) {
        await expect(async () => {
          await wake(page);
          await expect(connection).toHaveAttribute('data-chat-connection', 'connected', {
            timeout: 500,
          });
        }).toPass();
      }
      await expectSaidOnce(`말: ${name}`);
      await expect(input).toHaveValue(`쓰다 만 글: ${name}`);
      if (says !== undefined) await expect(page.getByText(says)).toHaveCount(0);
    });
  }

  await test.step('messages of others are late', async () => {
    sayDelivery('degraded');
    await expect(page.getByText('일부 메시지가 늦게 도착할 수 있어요')).toBeVisible();
    await input.fill('말: 늦은 때');
    await input.press('Enter');
    await expectSaidOnce('말: 늦은 때');
    sayDelivery('whole');
    await expect(page.getByText('일부 메시지가 늦게 도착할 수 있어요')).toHaveCount(0);
  });
  await expect(log.locator('article')).toHaveCount(CAUSES.length + 1);

  await page.getByRole('button', { name: '화이트보드' }).click();
  const panel = page.getByRole('region', { name: '화이트보드' });
  const paper = panel.locator('canvas.interactive');
  await expect(paper).toBeVisible();
  await expect(panel.getByText('화이트보드를 여는 중')).toHaveCount(0);
  const widths = async () => {
    const { elements } = await callAs(account, getBoard, { params: { roomId: room } });
    return elements
      .filter(({ isDeleted }) => !isDeleted)
      .map(({ width }) => Math.round(Number(width)));
  };
  const strokes = [
    {
      name: 'closed',
      fail: closedWith(1006),
      isTaken: true,
      says: '지금 그린 것은 다시 연결되면 저장돼요.',
    },
    {
      name: 'unavailable',
      fail: refusedFrame('unavailable'),
      isTaken: false,
      says: '지금은 서버가 그림을 저장하지 못하고',
    },
  ];
  for (const [index, { name, fail, isTaken, says }] of strokes.entries()) {
    await test.step(`a stroke under way: ${name}`, async () => {
      const box = await paper.boundingBox();
      if (box === null) throw new Error('there is no paper');
      const [left, top] = [box.x + 60, box.y + 160 + 150 * index];
      const at = (x: number) => page.mouse.move(left + x, top + x / 2, { steps: 4 });
      await panel.getByTestId('toolbar-rectangle').check({ force: true });
      await at(0);
      fault.next = { destination: destinations.sendBoard, isTaken, lasts: !isTaken, fail };
      await page.mouse.down();
      await at(100);
      await expect(panel.getByText(says)).toBeVisible();
      fault.next = null;
      await at(200);
      await endDrag(page, left + 200, top + 100);
      await expect(async () => {
        await wake(page);
        expect(await widths()).toEqual(strokes.slice(0, index + 1).map(() => 200));
      }).toPass();
      await expect(panel.getByText(says)).toHaveCount(0);
    });
  }
});

const PRESSES = [pauseTimer, resumeTimer];
const retryAfter = { 'retry-after': '1' };
/** Answers of the server to a press; none where the request times out. */
const ANSWERS = [
  { status: 503, headers: retryAfter },
  { status: 500 },
  { status: null },
  { status: 429, headers: retryAfter },
];

test('a press that the server does not take is sent again, and words wait for a frozen database', async ({
  newLearner,
  stack,
}) => {
  const { page, account } = await newLearner();
  await enterFromMain(page);
  const own = tileOf(page, account);
  const press = async (name: string, status: string) => {
    const taken = page.waitForResponse(
      (response) => PRESSES.some(({ path }) => response.url().endsWith(path)) && response.ok(),
    );
    await own.getByRole('button', { name: new RegExp(name, 'u') }).click();
    await expect(own.getByRole('button', { name: new RegExp(`^${status}`, 'u') })).toBeVisible();
    return { untilTaken: () => taken };
  };
  const pause = () => press('눌러서 휴식', '휴식 중');
  const resume = () => press('눌러서 다시 집중', '집중 중');
  let answer: (typeof ANSWERS)[number] | null = null;
  for (const { path } of PRESSES) {
    await page.route(`**${path}`, async (route) => {
      const now = answer;
      answer = null;
      if (now === null) return route.continue();
      const { status, ...rest } = now;
      return status === null
        ? route.abort('timedout')
        : route.fulfill({ status, ...rest, json: {} });
    });
  }
  for (const [index, failure] of ANSWERS.entries()) {
    await test.step(`answered with ${failure.status}`, async () => {
      answer = failure;
      const { untilTaken } = await (index % 2 === 0 ? pause() : resume());
      await expect(page.getByText('연결되면 저장돼요')).toBeVisible();
      await untilTaken();
      await expect(page.getByText('연결되면 저장돼요')).toHaveCount(0);
    });
  }
  await page.unrouteAll();

  await test.step('the database is frozen', async () => {
    await page.getByRole('button', { name: '채팅 열기' }).click();
    const input = page.getByRole('textbox', { name: '메시지' });
    const log = page.getByRole('log');
    await expect(page.locator('[data-chat-connection=connected]')).toBeVisible();
    const database = processTree(await postgresPid(stack));
    const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
      for (const pid of database) process.kill(pid, name);
    };
    signal('SIGSTOP');
    let taken: Awaited<ReturnType<typeof pause>>;
    try {
      await input.fill('말: 얼어붙은 때');
      await input.press('Enter');
      await input.fill('쓰다 만 글');
      taken = await pause();
      await expect(page.getByText(HELD_UP)).toBeVisible();
      await expect(page.getByText('연결되면 저장돼요')).toBeVisible();
    } finally {
      signal('SIGCONT');
    }
    await taken.untilTaken();
    await expect(log.locator('[data-outgoing]')).toHaveCount(0, { timeout: 30_000 });
    await expect(log.locator('article')).toHaveCount(1);
    await expect(input).toHaveValue('쓰다 만 글');
    await expect(page.getByText('연결되면 저장돼요')).toHaveCount(0);
  });
});

/** First byte of a message of the media signalling that asks to publish a track: field 4 of SignalRequest. */
const ADD_TRACK = 0x22;

const SIGNALLING_ENDS = [
  { code: 1001, refusals: 0 },
  { code: 1011, refusals: 0 },
  { code: 1013, refusals: 1 },
];

test('a picture that the media server is not asked for is said to be unseen, and reaches the others once it can, whatever ends the signalling', async ({
  newLearner,
}) => {
  const [{ page, account }, other] = await Promise.all([newLearner(), newLearner()]);
  const fault = { isUnasked: true, refusals: 0, end: (_code: number) => {} };
  await page.routeWebSocket(/\/rtc/u, (socket) => {
    const server = socket.connectToServer();
    // A refused upgrade would wait 15 s: the mock does not report the error that a browser does.
    if (fault.refusals > 0) {
      fault.refusals -= 1;
      server.onMessage(() => fault.end(1013));
    }
    socket.onMessage((message) => {
      if (fault.isUnasked && typeof message !== 'string' && message[0] === ADD_TRACK) return;
      server.send(message);
    });
    fault.end = (code) => {
      void server.close();
      void socket.close({ code });
    };
  });
  await enterFromMain(page);
  await enterFromMain(other.page);
  const unseen = tileOf(page, account).getByRole('status').getByText('다른 사람에게 안 보여요');
  await expect(tileOf(page, account).getByText('다른 사람에게 안 보여요')).toBeVisible({
    timeout: 30_000,
  });
  fault.isUnasked = false;
  await expect(unseen).toHaveCount(0, { timeout: 60_000 });
  await expectMovingPicture(other.page, account);

  const unstable = page.getByText('연결이 불안정해요. 다시 연결하는 중');
  for (const { code, refusals } of SIGNALLING_ENDS) {
    await test.step(`signalling closed with ${code}, then as often before it is answered: ${refusals}`, async () => {
      fault.refusals = refusals;
      fault.end(code);
      await expect(unstable).toBeVisible();
      await expect(unstable).toHaveCount(0, { timeout: 30_000 });
      expect(fault.refusals).toBe(0);
      await expectMovingPicture(other.page, account);
      await expectMovingPicture(page, other.account);
    });
  }
});
