import {
  addPushDevice,
  answerAppeal,
  appealSanction,
  askByFriendLink,
  choosePush,
  decideCase,
  GROUPS,
  GroupId,
  getPushSettings,
  LATEST_MS,
  logout,
  PUSH_DEVICES_MAX,
  type PushChoice,
  type PushKind,
  type PushSettings,
  pushKinds,
  type RouteDefinition,
  removeFriend,
  removePushDevice,
  renewFriendLink,
} from '@mogakgong/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { untilLocked } from '../../../test/lock-waits.ts';
import { type SubscribedBrowser, startPushService } from '../../../test/push-service-double.ts';
import { newCase, newModerator } from '../../../test/reported-cases.ts';
import { type Learner, PASSWORD, type TestApp } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { createLogger } from '../../platform/logger/index.ts';
import { createPushRepository, type PushEvent } from './push.repository.ts';
import { createPushService } from './push.service.ts';
import { readPushKeys } from './push-keys.ts';

const service = await startPushService();
afterAll(() => service.close());
const env = { PUSH_SERVICES: service.origin };
const { app } = await openTestSite({ env });
const { app: second } = await openTestSite({ env, besides: app });
/** The features of two processes as the other features use them. */
const partsOf = (at: TestApp) => ({
  ...at,
  logger: createLogger('silent'),
  authSecrets: at.env.AUTH_SECRET,
});
const pushAt = (at: TestApp) => createPushService(partsOf(at), createPushRepository(at.database));
const [push, pushAtSecond] = [pushAt(app), pushAt(second)];

beforeEach(() => service.answerWith(201));

const { ask } = app;

const settingsOf = async (learner: Pick<Learner, 'headers'>) =>
  (await ask(getPushSettings, learner)).json<PushSettings>();

/** Adds a browser to a learner's log-in. */
async function subscribe(learner: Pick<Learner, 'headers'>): Promise<SubscribedBrowser> {
  const { publicKey } = await settingsOf(learner);
  const browser = service.subscribe(publicKey);
  const { endpoint, p256dh, auth } = browser;
  const added = await ask(addPushDevice, learner, { endpoint, p256dh, auth, publicKey });
  expect(added.json()).toMatchObject({ isOnHere: true });
  return browser;
}

const choose = (learner: Learner, choice: Partial<PushChoice> = {}) =>
  ask(choosePush, learner, { kinds: pushKinds, quiet: null, ...choice });

async function notified(choice?: Partial<PushChoice>) {
  const learner = await app.newLearner();
  await choose(learner, choice);
  return { learner, browser: await subscribe(learner) };
}

/** Another log-in of the same learner, as on another device. */
async function logInAgain({ email }: Learner) {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email, password: PASSWORD },
  });
  return { headers: { authorization: `Bearer ${answer.json().token}` } };
}

const groupId = GroupId.parse(7);

let events = 0;
const newEvent = (kind: PushEvent['kind'] = 'breakEnd'): PushEvent => {
  events += 1;
  return { id: `test:${events}`, kind };
};

const stored = async ({ database }: TestApp, { userId }: Learner) => {
  const { rows } = await sql<{ endpoint: string }>`
    select endpoint from push_device where user_id = ${userId} order by added_at`.execute(database);
  return rows.map(({ endpoint }) => endpoint);
};

describe('a notification', () => {
  it('is encrypted for the browser, signed by the site, and names kind and thing alone', async () => {
    const { learner, browser } = await notified();
    const about = { name: '아침 공부', groupId };
    await push.send([learner.userId], { ...newEvent('groupSession'), ...about });
    expect(browser.received).toEqual([{ kind: 'groupSession', ...about }]);
  });

  it('has one length, whatever the name of the group', async () => {
    const { learner, browser } = await notified();
    for (const name of ['a', '가'.repeat(GROUPS.nameMaxLength)]) {
      await push.send([learner.userId], { ...newEvent('groupSession'), name, groupId });
    }
    await push.send([learner.userId], newEvent());
    expect(browser.lengths).toHaveLength(3);
    expect(new Set(browser.lengths).size).toBe(1);
  });

  it('has a topic that tells its push service nothing: the same for a kind, another on another device', async () => {
    const { learner, browser } = await notified();
    const other = await subscribe(await logInAgain(learner));
    for (const kind of ['breakEnd', 'decision', 'breakEnd'] as const) {
      await push.send([learner.userId], newEvent(kind));
    }
    const [ofBreak, ofDecision] = browser.topics;
    expect(browser.topics).toEqual([ofBreak, ofDecision, ofBreak]);
    expect(new Set([...browser.topics, ...other.topics]).size).toBe(4);
    // RFC 8030, 5.4.
    for (const topic of browser.topics) expect(topic).toMatch(/^[\w-]{32}$/u);
  });

  it('is sent to the others when one device is deleted meanwhile', async () => {
    const [gone, other] = [await notified(), await notified()];
    const deletion = await app.database.startTransaction().execute();
    await sql`delete from push_device where user_id = ${gone.learner.userId}`.execute(deletion);
    const sent = push.send([gone.learner.userId, other.learner.userId], newEvent());
    await untilLocked(app.database, 1, 'push_device');
    await deletion.commit().execute();
    await sent;
    expect([gone.browser.received, other.browser.received]).toEqual([[], [{ kind: 'breakEnd' }]]);
  });

  it('goes to every device of a learner, once for an event at two processes', async () => {
    const { learner, browser } = await notified();
    const other = await subscribe(await logInAgain(learner));
    const event = newEvent();
    await Promise.all(
      [push, pushAtSecond, push, pushAtSecond].map((at) => at.send([learner.userId], event)),
    );
    await push.send([learner.userId], event);
    expect([browser.received, other.received]).toEqual([
      [{ kind: 'breakEnd' }],
      [{ kind: 'breakEnd' }],
    ]);
    await push.send([learner.userId], newEvent());
    expect(browser.received).toHaveLength(2);
  });

  it('comes for chosen kinds alone: at first for none', async () => {
    const learner = await app.newLearner();
    expect(await settingsOf(learner)).toMatchObject({ kinds: [], quiet: null, isOnHere: false });
    const browser = await subscribe(learner);
    for (const kind of pushKinds) await push.send([learner.userId], newEvent(kind));
    await choose(learner, { kinds: ['friendRequest', 'friendRequest'] });
    for (const kind of pushKinds) await push.send([learner.userId], newEvent(kind));
    expect(browser.received).toEqual([{ kind: 'friendRequest' }]);
    expect((await settingsOf(learner)).kinds).toEqual(['friendRequest']);
  });

  it('does not come in quiet hours of the learner’s zone, also over midnight', async () => {
    const { learner, browser } = await notified();
    await sql`insert into study_record (user_id, time_zone)
              values (${learner.userId}, 'America/New_York')`.execute(app.database);
    const clock = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'America/New_York',
      hour: '2-digit',
      minute: '2-digit',
      hour12: false,
    }).format(app.clock.now());
    const [hour = 0, minute = 0] = clock.split(':').map(Number);
    const at = (minutes: number) => (hour * 60 + minute + minutes + 1_440) % 1_440;
    for (const [from, to, isQuiet] of [
      [-60, 60, true],
      [0, 1, true],
      [1, 60, false],
      [-60, 0, false],
      [60, -60, false],
      [60, 30, true],
      [0, 0, false],
    ] as const) {
      browser.received.splice(0);
      await choose(learner, { quiet: { fromMinute: at(from), toMinute: at(to) } });
      await push.send([learner.userId], newEvent());
      expect([from, to, browser.received.length === 0]).toEqual([from, to, isQuiet]);
    }
  });

  it.each([
    // Clocks are set from two to three: the hour between does not come.
    ['2037-03-08T06:59:00Z', false],
    ['2037-03-08T07:00:00Z', true],
    ['2037-03-08T07:29:00Z', true],
    ['2037-03-08T07:30:00Z', false],
    // Clocks are set back from two to one: one comes twice.
    ['2037-11-01T05:59:00Z', false],
    ['2037-11-01T06:59:00Z', false],
    ['2037-11-01T07:00:00Z', true],
    ['2037-11-01T08:29:00Z', true],
    ['2037-11-01T08:30:00Z', false],
  ])(
    'comes by the clock on the wall when clocks are set: at %s it is quiet: %s',
    async (at, isQuiet) => {
      app.clock.advance(Date.parse(at) - app.clock.now().getTime());
      const { learner, browser } = await notified();
      await sql`insert into study_record (user_id, time_zone)
              values (${learner.userId}, 'America/New_York')`.execute(app.database);
      await choose(learner, { quiet: { fromMinute: 120, toMinute: 210 } });
      await push.send([learner.userId], newEvent());
      expect(browser.received.length === 0).toBe(isQuiet);
    },
  );

  it('comes no more after one press to stop all, on any device', async () => {
    const { learner, browser } = await notified();
    const elsewhere = await logInAgain(learner);
    await subscribe(elsewhere);
    expect((await choose(learner, { kinds: [] })).json()).toMatchObject({ isOnHere: false });
    expect(await stored(app, learner)).toEqual([]);
    await choose(learner);
    await push.send([learner.userId], newEvent());
    expect(browser.received).toEqual([]);
  });

  it('comes no more to a device that is removed, or whose log-in has ended', async () => {
    const { learner, browser } = await notified();
    const elsewhere = await logInAgain(learner);
    const other = await subscribe(elsewhere);
    expect((await ask(removePushDevice, elsewhere)).json()).toMatchObject({ isOnHere: false });
    await push.send([learner.userId], newEvent());
    expect([browser.received.length, other.received.length]).toEqual([1, 0]);
    await app.inject({
      method: logout.method,
      url: logout.path,
      headers: { cookie: learner.cookie },
    });
    await push.send([learner.userId], newEvent());
    expect(browser.received).toHaveLength(1);
    expect(await stored(app, learner)).toEqual([]);
  });

  it('comes to the one that logged in last in a browser', async () => {
    const { learner, browser } = await notified();
    const next = await app.newLearner();
    await choose(next);
    const { endpoint, p256dh, auth } = browser;
    const { publicKey } = await settingsOf(next);
    await ask(addPushDevice, next, { endpoint, p256dh, auth, publicKey });
    await push.send([learner.userId, next.userId], newEvent());
    expect(browser.received).toHaveLength(1);
    expect(await stored(app, learner)).toEqual([]);
  });

  it('is one of two that add the browser at once', async () => {
    const { learner, browser } = await notified();
    const next = await app.newLearner();
    const { publicKey } = await settingsOf(next);
    const { endpoint, p256dh, auth } = browser;
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        ask(addPushDevice, index % 2 ? learner : next, { endpoint, p256dh, auth, publicKey }),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
    const both = [...(await stored(app, learner)), ...(await stored(app, next))];
    expect(both).toEqual([endpoint]);
  });
});

/** Sending at the same moment, at either process, of few events: many are sent again. */
const bursts = fc.array(
  fc.record({
    place: fc.integer({ min: 0, max: 5 }),
    isAtSecond: fc.boolean(),
    whom: fc.subarray([0, 1], { minLength: 1 }),
  }),
  { minLength: 1, maxLength: 12 },
);
/** An action of one of two learners before the next burst. */
const changes = fc.record({
  who: fc.integer({ min: 0, max: 1 }),
  change: fc.oneof(fc.subarray([...pushKinds]), fc.constant('another device' as const)),
});

/** A learner with devices, and the events that each device is to have been told of, a forgotten one too. */
class Recipient {
  readonly learner: Learner;
  readonly expected = new Map<SubscribedBrowser, Set<string>>();
  #kinds: readonly PushKind[] = pushKinds;
  #devices: SubscribedBrowser[] = [];

  private constructor(learner: Learner) {
    this.learner = learner;
  }

  static async begin(): Promise<Recipient> {
    const { learner, browser } = await notified();
    const recipient = new Recipient(learner);
    recipient.#add(browser);
    return recipient;
  }

  #add(browser: SubscribedBrowser): void {
    this.#devices.push(browser);
    this.expected.set(browser, new Set());
  }

  async change(change: PushKind[] | 'another device'): Promise<void> {
    if (change === 'another device')
      return this.#add(await subscribe(await logInAgain(this.learner)));
    await choose(this.learner, { kinds: change });
    this.#kinds = change;
    // Choosing none forgets every device.
    if (change.length === 0) this.#devices = [];
  }

  tell({ id, kind }: PushEvent): void {
    if (!this.#kinds.includes(kind)) return;
    for (const device of this.#devices) this.expected.get(device)?.add(id);
  }
}

it('a device is told once of each event, whatever two processes send while choices and devices change', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(bursts, changes), { minLength: 1, maxLength: 6 }),
      fc.array(fc.constantFrom(...pushKinds), { minLength: 6, maxLength: 6 }),
      async (plan, kinds) => {
        const named = kinds.map((kind) => ({ ...newEvent(kind), name: `event ${events}` }));
        const all = await Promise.all([Recipient.begin(), Recipient.begin()]);
        for (const [burst, { who, change }] of plan) {
          const sends = burst.map(({ place, isAtSecond, whom }) => ({
            at: isAtSecond ? pushAtSecond : push,
            event: named[place] as PushEvent,
            to: all.filter((_, index) => whom.includes(index)),
          }));
          await Promise.all(
            sends.map(({ at, event, to }) =>
              at.send(
                to.map(({ learner }) => learner.userId),
                event,
              ),
            ),
          );
          for (const { event, to } of sends) for (const recipient of to) recipient.tell(event);
          await all[who]?.change(change);
          for (const [device, ids] of all.flatMap(({ expected }) => [...expected])) {
            const names = named.filter(({ id }) => ids.has(id)).map(({ name }) => name);
            expect(device.received.map(({ name }) => name).sort()).toEqual(names.sort());
          }
        }
      },
    ),
    { numRuns: 40 },
  );
}, 120_000);

describe('a device', () => {
  it.each([
    'https://fcm.googleapis.com/push/1',
    'http://127.0.0.1:9/push',
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    'no address',
  ])('at %s is refused: only named push services are ever called', async (endpoint) => {
    const learner = await app.newLearner();
    const { publicKey } = await settingsOf(learner);
    const { p256dh, auth } = service.subscribe(publicKey);
    const answer = await ask(addPushDevice, learner, { endpoint, p256dh, auth, publicKey });
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'pushRefused']);
  });

  it('is refused with a key that is no point, or for another site', async () => {
    const learner = await app.newLearner();
    const { publicKey } = await settingsOf(learner);
    const { endpoint, p256dh, auth } = service.subscribe(publicKey);
    for (const wrong of [{ p256dh: 'B'.repeat(87) }, { publicKey: p256dh }]) {
      const given = { endpoint, p256dh, auth, publicKey, ...wrong };
      expect((await ask(addPushDevice, learner, given)).json().error).toBe('pushRefused');
    }
  });

  it(`is one of ${PUSH_DEVICES_MAX}: a further one takes the place of the oldest`, async () => {
    const { learner, browser } = await notified();
    for (let count = 1; count < PUSH_DEVICES_MAX; count += 1) {
      app.clock.advance(1);
      await subscribe(await logInAgain(learner));
    }
    expect(await stored(app, learner)).toContain(browser.endpoint);
    app.clock.advance(1);
    await subscribe(await logInAgain(learner));
    expect(await stored(app, learner)).toHaveLength(PUSH_DEVICES_MAX);
    expect(await stored(app, learner)).not.toContain(browser.endpoint);
  });

  it('is forgotten once its push service says that it is gone, and kept after other answers', async () => {
    const { learner, browser } = await notified();
    service.answerWith(403);
    await push.send([learner.userId], newEvent());
    expect(await stored(app, learner)).toEqual([browser.endpoint]);
    service.answerWith(410);
    await push.send([learner.userId], newEvent());
    expect(await stored(app, learner)).toEqual([]);
  });

  it('keeps the key of the site that it subscribed to when AUTH_SECRET changes', async () => {
    const { learner, browser } = await notified();
    await sql`insert into site_key (purpose, number, sealed_key)
              select purpose, 99, sealed_key from site_key where purpose = 'web push'
              on conflict do nothing`.execute(app.database);
    await push.send([learner.userId], newEvent());
    expect(browser.received).toHaveLength(1);
  });

  it('gets one key from every process', async () => {
    const keys = await readPushKeys(partsOf(app));
    expect(await readPushKeys(partsOf(second))).toEqual(keys);
    expect((await settingsOf(await app.newLearner())).publicKey).toBe(keys[0].publicKey);
  });
});

describe('a push service', () => {
  it('that refuses further messages to a device takes those to others', async () => {
    const [limited, other] = [await notified(), await notified()];
    service.answerWith(429);
    await push.send([limited.learner.userId], newEvent());
    service.answerWith(201);
    await push.send([other.learner.userId], newEvent());
    expect(limited.browser.received).toEqual([]);
    expect(other.browser.received).toHaveLength(1);
  });

  it('that does not answer is given up after ten seconds', async () => {
    const { learner, browser } = await notified();
    service.answerWith('none');
    const time = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal);
    const before = service.figures().asked;
    const sent = push.send([learner.userId], newEvent());
    await vi.waitFor(() => expect(service.figures().asked).toBe(before + 1));
    time.abort();
    await sent;
    expect(timeout).toHaveBeenCalledExactlyOnceWith(10_000);
    timeout.mockRestore();
    service.answerWith(201);
    await push.send([learner.userId], newEvent());
    expect(browser.received).toHaveLength(1);
  });

  it('that does not answer holds fifty requests at most, and nothing else', async () => {
    const { learner } = await notified();
    const own = pushAt(app);
    service.answerWith('none');
    const sent = Promise.all(
      Array.from({ length: 80 }, () => own.send([learner.userId], newEvent())),
    );
    await vi.waitFor(() => expect(service.figures().most).toBe(50));
    expect((await ask(getPushSettings, learner)).statusCode).toBe(200);
    own.close();
    service.answerWith(201);
    void sent;
  });
});

describe('an event', () => {
  it('is a friend request, once a day for each two learners, also if it is withdrawn', async () => {
    const { learner, browser } = await notified();
    const asker = await app.newLearner();
    const { link } = (await ask(renewFriendLink, learner)).json();
    await ask(askByFriendLink, asker, { link });
    await ask(askByFriendLink, asker, { link });
    await vi.waitFor(() => expect(browser.received).toEqual([{ kind: 'friendRequest' }]));
    const url = removeFriend.path.replace(':userId', String(learner.userId));
    await app.inject({ method: 'DELETE', url, headers: asker.headers });
    app.clock.advance(1_000);
    expect((await ask(askByFriendLink, asker, { link })).json()).toMatchObject({
      standing: 'asked',
    });
    await ask(askByFriendLink, await app.newLearner(), { link });
    await vi.waitFor(() => expect(browser.received.length).toBeGreaterThan(1));
    expect(browser.received).toEqual([{ kind: 'friendRequest' }, { kind: 'friendRequest' }]);
  });

  it('is the first nudge in a group on a day, to a member without a page, with the name of the group alone', async () => {
    const { learner, browser } = await notified();
    const nudgers = [await app.newLearner(), await app.newLearner()] as const;
    const groupId = await app.openGroup(nudgers[0], { name: '새벽반' });
    const ofGroup = (from: Learner, path: string, payload?: object) =>
      app.inject({
        ...{ method: 'POST', url: `/api/groups/${groupId}/members${path}` },
        ...{ headers: from.headers, ...(payload && { payload }) },
      });
    for (const member of [learner, nudgers[1]]) await ofGroup(member, '', { agrees: true });
    for (const nudger of nudgers) {
      expect((await ofGroup(nudger, `/${learner.userId}/nudge`)).statusCode).toBe(200);
    }
    await push.send([learner.userId], newEvent('decision'));
    await vi.waitFor(() =>
      expect(browser.received).toEqual([
        { kind: 'groupNudge', name: '새벽반' },
        { kind: 'decision' },
      ]),
    );
  });

  it('is an invitation of a friend into their room', async () => {
    const { learner, browser } = await notified();
    const friend = await app.newLearner();
    await sql`
      with pair (one, other) as (
        values (${learner.userId}::bigint, ${friend.userId}::bigint), (${friend.userId}, ${learner.userId})
      ), shared as (insert into friend_sharing select one, now() from pair)
      insert into friendship (user_id, friend_id, since) select one, other, now() from pair`.execute(
      app.database,
    );
    await app.seat(friend);
    const url = `/api/friends/${learner.userId}/invitation`;
    await app.inject({ method: 'POST', url, headers: friend.headers });
    await vi.waitFor(() => expect(browser.received).toEqual([{ kind: 'friendInvitation' }]));
  });

  it('is the answer to a report, and to an appeal', async () => {
    const [moderator, other] = [await newModerator(app), await newModerator(app)];
    const { caseId, reporters, reported } = await newCase(app);
    const people = [reporters[0], reported] as [Learner, Learner];
    const browsers: SubscribedBrowser[] = [];
    for (const learner of people) {
      await choose(learner, { kinds: ['decision'] });
      browsers.push(await subscribe(learner));
    }
    const at = (route: RouteDefinition, id: number) => ({
      ...route,
      path: route.path.replace(/:\w+/u, String(id)) as RouteDefinition['path'],
    });
    await app.inject({
      method: 'POST',
      url: `/api/moderation/cases/${caseId}/claim`,
      headers: moderator.headers,
    });
    const decision = { decision: 'warn', reason: 'A reason.', readUntilMs: LATEST_MS };
    expect((await ask(at(decideCase, caseId), moderator, decision)).statusCode).toBe(200);
    await vi.waitFor(() => expect(browsers[0]?.received).toEqual([{ kind: 'decision' }]));
    expect(browsers[1]?.received).toEqual([]);
    const { rows } = await sql<{ id: number }>`
      select id from sanction where user_id = ${reported.userId}`.execute(app.database);
    const id = rows[0]?.id as number;
    await ask(at(appealSanction, id), reported, { text: 'Please' });
    const answer = { outcome: 'upheld', answer: 'No.' };
    expect((await ask(at(answerAppeal, id), other, answer)).statusCode).toBe(200);
    await vi.waitFor(() => expect(browsers[1]?.received).toEqual([{ kind: 'decision' }]));
  });
});

it('is read and changed in two queries, and forgets after a day what was sent', async () => {
  const { learner } = await notified();
  await push.send([learner.userId], newEvent());
  app.queries.splice(0);
  await settingsOf(learner);
  expect(app.queries.filter((text) => /push_|site_key/u.test(text))).toHaveLength(2);
  const count = async () =>
    (await sql`select from push_sent where user_id = ${learner.userId}`.execute(app.database)).rows
      .length;
  expect(await count()).toBe(1);
  app.clock.advance(25 * 60 * 60_000);
  await app.runJob('sent notifications');
  expect(await count()).toBe(0);
});
