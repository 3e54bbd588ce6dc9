import {
  applyPresenceChange,
  type DatedGoal,
  destinations,
  getGoal,
  type Member,
  type PresenceMessage,
  putGoal,
  todayMs,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { withLastingLogIn } from '../../../test/lasting-log-in.ts';
import type { Received } from '../../../test/stomp-client.ts';
import { createTestApp, type Learner, type TestApp } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { goTo } from '../../../test/wall-clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let learner: Learner;
const { app, clients } = await openTestSite({ emptied: ['seat', 'study_room'] });
const newLearner = async () => withLastingLogIn(await app.newLearner());
beforeEach(async () => {
  learner = await newLearner();
});

const goal = async () =>
  (await app.inject({ url: getGoal.path, headers: learner.headers })).json<DatedGoal>();
const put = (payload: object, process: TestApp = app) =>
  process.inject({ method: 'PUT', url: putGoal.path, payload, headers: learner.headers });
const task = (text: string, isDone = false) => ({ text, isDone });

/** A client's state of a member after all received messages. */
const memberIn = (received: readonly Received[], { userId }: Learner): Member | undefined =>
  received
    .map(({ body }) => body as PresenceMessage)
    .reduce<readonly Member[]>(
      (members, message) =>
        message.kind === 'snapshot'
          ? message.members
          : applyPresenceChange(members, message.change),
      [],
    )
    .find((member) => member.userId === userId);

describe("today's goal", () => {
  it('is none at first, and private', async () => {
    expect(await goal()).toEqual({
      targetMinutes: null,
      tasks: [],
      isVisible: false,
      day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/u),
      version: 0,
    });
  });

  it('keeps a target and up to five tasks, trimmed to one line each', async () => {
    const answer = await put({
      targetMinutes: 120,
      tasks: [task('  수학  문제집\n40쪽 '), task('영어 단어', true)],
      isVisible: true,
    });
    expect(answer.statusCode).toBe(200);
    const stored = { targetMinutes: 120, isVisible: true };
    const tasks = [task('수학 문제집 40쪽'), task('영어 단어', true)];
    expect(answer.json()).toMatchObject({ ...stored, tasks });
    expect(await goal()).toMatchObject({ ...stored, tasks });
  });

  it.each([
    ['six tasks', { tasks: Array.from({ length: 6 }, () => task('x')) }, 'invalidRequest'],
    ['an empty task', { tasks: [task(' \u200b ')] }, 'goalTaskMalformed'],
    ['a task of 61 characters', { tasks: [task('가'.repeat(61))] }, 'goalTaskMalformed'],
    ['no time at all', { targetMinutes: 0 }, 'invalidRequest'],
    ['more than a day', { targetMinutes: 1_441 }, 'invalidRequest'],
    ['half a minute', { targetMinutes: 0.5 }, 'invalidRequest'],
  ])('refuses %s, and keeps what was there', async (_what, part, error) => {
    const good = { targetMinutes: 60, tasks: [task('남는다')], isVisible: false };
    await put(good);
    const answer = await put({ ...good, ...part });
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { error }]);
    expect(await goal()).toMatchObject(good);
  });

  it('takes sixty characters, however many bytes they have', async () => {
    const tasks = [task('📚'.repeat(60))];
    expect((await put({ targetMinutes: null, tasks, isVisible: false })).json()).toMatchObject({
      tasks,
    });
  });

  it('keeps its target over the day start of the learner, and its tasks do not outlive it', async () => {
    await app.inject({
      method: 'PUT',
      url: '/api/user/settings/focus',
      payload: { timeZone: 'Asia/Seoul', dayStartMinutes: 240, startsOnEntering: true },
      headers: learner.headers,
    });
    goTo(app.clock, 23, 59);
    const set = { targetMinutes: 90, tasks: [task('오늘만')], isVisible: false };
    const { day } = (await put(set)).json<DatedGoal>();
    goTo(app.clock, 3, 59);
    expect(await goal()).toEqual({ ...set, day, version: 1 });
    app.clock.advance(MINUTE_MS);
    const next = await goal();
    expect(next).toMatchObject({ targetMinutes: 90, tasks: [] });
    expect(next.day > day).toBe(true);
    // A tab that still shows yesterday must not make its tasks today's.
    const late = await put({ ...set, day });
    expect([late.statusCode, late.json()]).toMatchObject([409, { errorCode: 'G002' }]);
    expect((await put({ ...set, day: next.day })).statusCode).toBe(200);
  });

  it('is sent to every tab of the learner', async () => {
    const received = await (await clients.connectAs(app, learner)).subscribe(destinations.notices);
    const set = { targetMinutes: 30, tasks: [task('읽기')], isVisible: false };
    await put(set);
    await vi.waitFor(() => expect(received.at(-1)?.body).toMatchObject({ kind: 'goal', ...set }));
  });

  it('has a version that grows with each save, so that what comes late can be dropped', async () => {
    const received = await (await clients.connectAs(app, learner)).subscribe(destinations.notices);
    const targets = [10, 20, 30, 40, 50, 60];
    const answers = await Promise.all(
      targets.map((targetMinutes) => put({ targetMinutes, tasks: [], isVisible: false })),
    );
    const versions = answers.map((answer) => answer.json<DatedGoal>().version);
    expect(versions.toSorted()).toEqual([1, 2, 3, 4, 5, 6]);
    await vi.waitFor(() => expect(received).toHaveLength(targets.length));
    const latest = received
      .map(({ body }) => body as DatedGoal)
      .reduce((last, next) => (next.version > last.version ? next : last));
    expect(latest).toMatchObject(await goal());
  });

  it('is limited to thirty questions and changes a minute', async () => {
    const limited = await createTestApp({ env: { RATE_LIMIT_SCALE: '1' }, besides: app });
    try {
      const payload = { targetMinutes: 30, tasks: [], isVisible: false };
      const statuses = new Set<number>();
      for (let count = 0; count < 30; count += 1) {
        statuses.add((await put(payload, limited)).statusCode);
      }
      expect([...statuses]).toEqual([200]);
      expect((await put(payload, limited)).statusCode).toBe(429);
    } finally {
      await limited.close();
    }
  });
});

describe('on the tile', () => {
  it('shows nothing of a private goal', async () => {
    await put({ targetMinutes: 60, tasks: [task('비밀')], isVisible: false });
    await app.seat(learner);
    const host = await newLearner();
    await app.seat(host);
    const received = await (await clients.connectAs(app, host)).subscribe(destinations.presence);
    expect(memberIn(received, learner)).not.toHaveProperty('goal');
    expect(JSON.stringify(received)).not.toContain('비밀');
  });

  it('is as its learner left it, whatever two tabs said at the same moment', async () => {
    const room = await app.seat(learner);
    const host = await newLearner();
    await app.seat(host);
    const received = await (await clients.connectAs(app, host)).subscribe(destinations.presence);
    const set = { targetMinutes: 60, tasks: [task('비밀')] };
    const wrong: boolean[] = [];
    for (let round = 0; round < 40; round += 1) {
      await put({ ...set, isVisible: false });
      await Promise.all([put({ ...set, isVisible: true }), put({ ...set, isVisible: false })]);
      const { rows } = await sql<{ number: number }>`
        select roster_number as number from study_room where id = ${room}`.execute(app.database);
      await vi.waitFor(() => expect(received.at(-1)?.body).toMatchObject({ ...rows[0] }));
      const isShown = memberIn(received, learner)?.goal !== undefined;
      if (isShown !== (await goal()).isVisible) wrong.push(isShown);
    }
    expect(wrong).toEqual([]);
  });

  it('does not send the room a goal that stays private', async () => {
    const room = await app.seat(learner);
    const number = async () =>
      (
        await sql<{ number: number }>`
          select roster_number as number from study_room where id = ${room}`.execute(app.database)
      ).rows[0]?.number;
    await put({ targetMinutes: 60, tasks: [], isVisible: false });
    const before = await number();
    await put({ targetMinutes: 90, tasks: [task('비밀')], isVisible: false });
    expect(await number()).toBe(before);
  });

  it('shows a visible goal with what is done of it, and no more once it is private again', async () => {
    goTo(app.clock, 12);
    const host = await newLearner();
    const room = await app.seat(learner);
    await app.seat(host);
    app.clock.advance(10 * MINUTE_MS);
    const received = await (await clients.connectAs(app, host)).subscribe(destinations.presence);
    const set = { targetMinutes: 60, tasks: [task('수학')] };
    await put({ ...set, isVisible: true });
    await vi.waitFor(() => expect(memberIn(received, learner)?.goal).toMatchObject(set));
    const shown = () => {
      const seen = memberIn(received, learner)?.goal;
      return seen && todayMs(seen, app.clock.now().getTime());
    };
    expect(shown()).toBe(10 * MINUTE_MS);
    app.clock.advance(5 * MINUTE_MS);
    expect(shown()).toBe(15 * MINUTE_MS);
    await app.recordSeen(learner);
    await app.move(learner, 'pause', room);
    await vi.waitFor(() => expect(memberIn(received, learner)?.clock.status).toBe('pause'));
    app.clock.advance(HOUR_MS);
    expect(shown()).toBe(15 * MINUTE_MS);
    await put({ ...set, isVisible: false });
    await vi.waitFor(() => expect(memberIn(received, learner)).not.toHaveProperty('goal'));
  });
});
