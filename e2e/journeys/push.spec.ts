import {
  addGroupSession,
  askByFriendLink,
  followSchedule,
  type GroupPlan,
  getGroupSessions,
  openGroup,
  putComing,
  putPomodoro,
  type RoomId,
  renewFriendLink,
} from '@mogakgong/contract';
import type { CDPSession } from '@playwright/test';
import {
  type PushServiceDouble,
  type SubscribedBrowser,
  startPushService,
} from '../../apps/api/test/push-service-double.ts';
import { startStack } from '../../test/running-stack.ts';
import {
  type Account,
  callAs,
  createAccount,
  enterByApi,
  expect,
  test as journey,
  LIGHT_PATH,
  logInDetails,
  logInHere,
  playOn,
} from '../support/journey.ts';
import { lengthenVisit } from '../support/study-history.ts';

/** Those of the fixture that it replaces: Playwright wants them repeated, but its types refuse `auto` in a literal. */
const FIXTURE_OPTIONS = { scope: 'worker', auto: true } as const;

const test = journey.extend<object, { readonly service: PushServiceDouble }>({
  service: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures it needs from the pattern.
    async ({}, use) => {
      const service = await startPushService();
      await use(service);
      await service.close();
    },
    { scope: 'worker' },
  ],
  stack: [
    async ({ service }, use) => {
      const stack = await startStack('stack-push', { PUSH_SERVICES: service.origin });
      playOn(stack);
      await use(stack);
      await stack.stop();
    },
    { ...FIXTURE_OPTIONS, timeout: 120_000 },
  ],
});

/** Hands messages to the service worker of a site, as the push service of the browser does. */
async function createDelivery(session: CDPSession, origin: string) {
  const registered = Promise.withResolvers<string>();
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin));
    if (own) registered.resolve(own.registrationId);
  });
  await session.send('ServiceWorker.enable');
  const registrationId = await registered.promise;
  return (message: object) =>
    session.send('ServiceWorker.deliverPushMessage', {
      origin,
      registrationId,
      data: JSON.stringify(message),
    });
}

const PLAN: GroupPlan = {
  ...{ name: '토익 새벽반', goal: '', category: 'language', examDay: null, weekGoalMinutes: null },
  rule: { kind: 'minutes', days: [1], minutes: 30, fromMinute: 540, untilMinute: 600 },
  ...{ isListed: false, needsApproval: true, hasRanks: false },
  ...{ timeZone: 'UTC', dayStartMinutes: 0 },
};
/** So soon begins the session of a group whose reminder is due at once. */
const SOON_MINUTES = 8;
const DAY_MINUTES = 24 * 60;

/** Says that a learner comes to a session of a group of theirs that begins soon. */
async function comeSoon(learner: Account): Promise<void> {
  const { groupId } = await callAs(learner, openGroup, { body: PLAN });
  const fromMinute = (Math.floor(Date.now() / 60_000) + SOON_MINUTES) % DAY_MINUTES;
  const untilMinute = (fromMinute + 60) % DAY_MINUTES;
  const body = { days: [1, 2, 3, 4, 5, 6, 7], fromMinute, untilMinute };
  const { sessionId } = await callAs(learner, addGroupSession, { params: { groupId }, body });
  const { sessions } = await callAs(learner, getGroupSessions, { params: { groupId } });
  const day = sessions[0]?.next[0]?.day ?? '';
  const params = { groupId, sessionId, day };
  await callAs(learner, putComing, { params, body: { isComing: true } });
}

/** A phase of focus and a break, of a minute each. */
const ROUND_MS = 120_000;
/** Until the end of the break from the moment in which nothing else is to be done. */
const REST_MS = 5_000;

test('a friend’s request, a session of a group and the end of a break ring with the page closed, once they were chosen', async ({
  browser,
  url,
  service,
  stack,
}) => {
  const [learner, friend] = [await createAccount(), await createAccount()];
  const { userId } = learner;
  const roomId = (await enterByApi(learner)) as RoomId;
  const lengths = { focusMinutes: 1, breakMinutes: 1 };
  const room = { params: { roomId }, body: lengths };
  const { schedule } = await callAs(learner, putPomodoro, room);
  const startedAtMs = schedule?.startedAtMs ?? 0;
  const body = { userId, roomId, startedAtMs };
  await callAs(learner, followSchedule, { body });
  const { use } = test.info().project;
  const context = await browser.newContext({ ...use, baseURL: url, serviceWorkers: 'allow' });
  try {
    await context.grantPermissions(['notifications'], { origin: url });
    // Chromium's own push service is on the internet: the double answers in its place.
    const devices: SubscribedBrowser[] = [];
    await context.exposeFunction('subscribeAtDouble', (serverKey: string) => {
      const device = service.subscribe(serverKey);
      devices.push(device);
      const { endpoint, p256dh, auth } = device;
      return { endpoint, keys: { p256dh, auth } };
    });
    await context.addInitScript(() => {
      if (!('PushManager' in window)) return;
      PushManager.prototype.subscribe = async ({ applicationServerKey } = {}) => {
        const { subscribeAtDouble } = window as unknown as {
          subscribeAtDouble(key: unknown): Promise<PushSubscriptionJSON>;
        };
        const subscription = await subscribeAtDouble(applicationServerKey);
        return { toJSON: () => subscription } as PushSubscription;
      };
    });
    const page = await context.newPage();
    await page.goto(LIGHT_PATH);
    await page.evaluate(logInHere, logInDetails(learner));
    await page.goto('/settings/notifications');
    await page.getByLabel('친구 요청이 왔을 때').click();
    await expect(page.getByText('이 기기로 알림이 와요.')).toBeVisible();
    for (const name of ['휴식이 끝날 때', '스터디 그룹 모임이 시작하기 전에']) {
      const kind = page.getByLabel(name, { exact: true });
      await kind.click();
      await expect(kind).toBeEnabled();
    }

    const other = await context.newPage();
    const deliver = await createDelivery(await context.newCDPSession(other), url);
    await page.close();
    const { link } = await callAs(learner, renewFriendLink);
    await callAs(friend, askByFriendLink, { body: { link } });
    const received = () => devices.flatMap((device) => device.received);
    const kinds = () => received().map((message) => (message as { kind: string }).kind);
    await expect.poll(kinds).toEqual(['friendRequest']);
    await comeSoon(learner);
    await expect.poll(kinds, { timeout: 30_000 }).toEqual(['friendRequest', 'groupSession']);
    const passedMs = Date.now() - startedAtMs;
    await lengthenVisit(stack.dataDir, userId, (ROUND_MS - REST_MS - passedMs) / 60_000);
    await expect.poll(kinds).toEqual(['friendRequest', 'groupSession', 'breakEnd']);
    for (const message of received()) await deliver(message);

    await other.goto(LIGHT_PATH);
    const shown = () =>
      other.evaluate(async () => {
        const registration = await navigator.serviceWorker.getRegistration();
        return (await registration?.getNotifications())?.map(({ title }) => title);
      });
    await expect
      .poll(shown)
      .toEqual([
        '친구 요청이 왔어요.',
        `‘${PLAN.name}’ 그룹의 모임이 곧 시작해요.`,
        '휴식이 끝났어요. 다시 시작할 시간이에요.',
      ]);
  } finally {
    await context.close();
  }
});
