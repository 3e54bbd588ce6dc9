import { blockUser, leaveRoom, logout, unblockUser } from '@mogakgong/contract';
import type { Browser } from '@playwright/test';
import { keepConnections, receivedBytes } from '../support/connections.ts';
import {
  HostileClient,
  type Message,
  mediaToken,
  type Publication,
} from '../support/hostile-client.ts';
import {
  type Account,
  callAs,
  createAccount,
  enterByApi,
  enterFromMain,
  expect,
  expectMovingPicture,
  logInByApi,
  logInByForm,
  test,
} from '../support/journey.ts';

/** The limit after which who may not be in a room is out of its media (design §6). */
const OUT_WITHIN_MS = 2_000;

/** Watches a room as a hostile client until it has its first token and one that LiveKit renewed. */
async function watchRoom(browser: Browser, spy: Account, roomId: number) {
  const first = await mediaToken(spy, roomId);
  const hostile = await HostileClient.open(browser);
  expect(await hostile.connect(first)).toBe(true);
  await expect.poll(() => hostile.frames()).toBeGreaterThan(10);
  await expect.poll(() => hostile.presentToken()).not.toBe(first);
  return { hostile, tokens: [first, await hostile.presentToken()] };
}

test('a hostile client sees nothing once it has left, is blocked or is logged out', async ({
  browser,
  newLearner,
}) => {
  const { page, account: host } = await newLearner();
  const roomId = await enterFromMain(page);

  await test.step('a kept media token shows nothing after leaving, nor after a block', async () => {
    const spy = await createAccount();
    expect(await enterByApi(spy)).toBe(roomId);
    const { hostile, tokens } = await watchRoom(browser, spy, roomId);

    await callAs(spy, leaveRoom, { query: { userId: spy.userId } });
    await expect.poll(() => hostile.endedAfterMs()).not.toBeNull();
    await hostile.close();

    const again = await HostileClient.open(browser);
    for (const token of tokens) expect(await again.connect(token)).toBe(false);
    await callAs(host, blockUser, { params: { blockedId: spy.userId } });
    for (const token of tokens) expect(await again.connect(token)).toBe(false);
    expect(await again.frames()).toBe(0);

    // A seat elsewhere does not help: the tokens name another room and another visit.
    expect(await enterByApi(spy)).not.toBe(roomId);
    for (const token of tokens) expect(await again.connect(token)).toBe(false);
    expect(await again.frames()).toBe(0);
    await again.close();
  });

  await test.step('a log-out by the API alone ends viewing', async () => {
    const account = await createAccount();
    const spy = { ...account, token: await logInByApi(account.email) };
    expect(await enterByApi(spy)).toBe(roomId);
    const { hostile, tokens } = await watchRoom(browser, spy, roomId);

    await callAs(spy, logout);
    await expect
      .poll(() => hostile.endedAfterMs(), { intervals: [50], timeout: OUT_WITHIN_MS })
      .not.toBeNull();
    await hostile.close();

    const again = await HostileClient.open(browser);
    for (const token of tokens) expect(await again.connect(token)).toBe(false);
    expect(await again.frames()).toBe(0);
    await again.close();
  });
});

test('a foreign client gets no frame of a learner who blocks its own, nor after coming back', async ({
  browser,
  newLearner,
}) => {
  const { page, account: blocker } = await newLearner();
  const roomId = await enterFromMain(page);
  const [spy, neighbour] = [await createAccount(), await createAccount()];
  for (const account of [spy, neighbour]) expect(await enterByApi(account)).toBe(roomId);
  const other = await HostileClient.open(browser);
  await other.connect(await mediaToken(neighbour, roomId));
  await other.publish('camera');
  const hostile = await HostileClient.open(browser);
  const token = await mediaToken(spy, roomId);
  expect(await hostile.connect(token)).toBe(true);
  await expect.poll(() => hostile.frames(blocker)).toBeGreaterThan(10);

  /** Pictures that arrive, shown or not, while the neighbour's goes on. */
  const arriving = async () => {
    const [before, frames] = [await hostile.picturePackets(), await hostile.frames(neighbour)];
    await expect.poll(() => hostile.frames(neighbour)).toBeGreaterThan(frames + 15);
    const streams = Object.entries(await hostile.picturePackets());
    return streams.filter(([id, packets]) => packets - (before[id] ?? 0) > 10).length;
  };
  await expect.poll(arriving).toBe(2);
  await callAs(blocker, blockUser, { params: { blockedId: spy.userId } });
  await expect.poll(arriving).toBe(1);
  expect(await hostile.connect(token)).toBe(true);
  expect(await arriving()).toBe(1);
  await page.reload();
  await expectMovingPicture(page, neighbour);
  expect(await arriving()).toBe(1);

  const framesBefore = await hostile.frames(blocker);
  await callAs(blocker, unblockUser, { params: { blockedId: spy.userId } });
  await expect.poll(() => hostile.frames(blocker)).toBeGreaterThan(framesBefore + 10);
  await Promise.all([hostile.close(), other.close()]);
});

/** Too much picture costs others bandwidth, nobody's privacy; on a busy machine it is out in 2 to 3 s. */
const PICTURE_OUT_WITHIN_MS = 10_000;

/** What ends the visit of who publishes it, and after how long at most. */
const forbidden: readonly (readonly [readonly Publication[], number])[] = [
  [['sound as microphone'], OUT_WITHIN_MS],
  [['sound as camera'], OUT_WITHIN_MS],
  [['camera', 'sound in an offer'], OUT_WITHIN_MS],
  [['screen'], OUT_WITHIN_MS],
  [['sound of a screen'], OUT_WITHIN_MS],
  [['camera', 'camera'], PICTURE_OUT_WITHIN_MS],
  [['large picture as camera'], PICTURE_OUT_WITHIN_MS],
];

/** What has no effect on anybody: its sender stays. */
const withoutEffect: readonly Message[] = [
  'lossy data',
  'reliable data',
  'data by a channel made by hand',
  'another name',
  'metadata',
  'attributes',
];

test('whatever a hostile client sends, nobody hears or receives it, and a publisher of what is forbidden is out', async ({
  browser,
  newVisitor,
}) => {
  const [page, honest, listener] = [
    await newVisitor(),
    await createAccount(),
    await createAccount(),
  ];
  await page.addInitScript(keepConnections);
  await page.goto('/email-login');
  await logInByForm(page, honest);
  await page.waitForURL('/main');
  const roomId = await enterFromMain(page);
  /** Beside our page one that takes whatever the server offers. */
  const eager = await HostileClient.open(browser);
  expect(await enterByApi(listener)).toBe(roomId);
  expect(await eager.connect(await mediaToken(listener, roomId))).toBe(true);

  const hostile = await HostileClient.open(browser);
  const join = async (offender: Account) => {
    expect(await enterByApi(offender)).toBe(roomId);
    const token = await mediaToken(offender, roomId);
    expect(await hostile.connect(token)).toBe(true);
    return token;
  };
  const expectSilence = async (what: string, outcome: string) => {
    const [{ audio }, received] = [await page.evaluate(receivedBytes), await eager.received()];
    expect({ audio, ...received }).toEqual({
      audio: 0,
      audioBytes: 0,
      dataMessages: 0,
      changes: [],
    });
    const description = `${outcome}; received: ${audio + received.audioBytes} bytes of audio, ${received.dataMessages} messages, ${received.changes.length} changes`;
    test.info().annotations.push({ type: what, description });
  };

  for (const [publications, outWithinMs] of forbidden) {
    const what = publications.join(' and ');
    await test.step(what, async () => {
      const offender = await createAccount();
      const token = await join(offender);
      for (const [index, publication] of publications.entries()) {
        if (index > 0) await expect.poll(() => eager.frames(offender)).toBeGreaterThan(0);
        await hostile.publish(publication);
      }
      await expect.poll(() => hostile.endedAfterMs(), { intervals: [50] }).not.toBeNull();
      const endedAfterMs = (await hostile.endedAfterMs()) ?? Number.POSITIVE_INFINITY;
      expect(endedAfterMs).toBeLessThan(outWithinMs);
      expect(await hostile.connect(token)).toBe(false);
      await expectSilence(what, `out after ${Math.round(endedAfterMs)} ms`);
    });
  }

  const talker = await createAccount();
  await join(talker);
  for (const message of withoutEffect) await hostile.send(message);
  await expect.poll(() => hostile.sentMessages()).toBeGreaterThanOrEqual(3);
  // What was sent before is there before this picture.
  await hostile.publish('camera');
  await expectMovingPicture(page, talker);
  await expect.poll(() => eager.frames(talker)).toBeGreaterThan(10);
  for (const message of withoutEffect) await expectSilence(message, 'stays');
  expect((await page.evaluate(receivedBytes)).video).toBeGreaterThan(0);
  await Promise.all([hostile.close(), eager.close()]);
});
