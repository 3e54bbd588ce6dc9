import {
  addDays,
  applyPresenceChange,
  type DatedGoal,
  destinations,
  getGoal,
  HOUR_MS,
  type Member,
  MINUTE_MS,
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
const once = (text: string, day: string) => ({ text, day, weekdays: [] as number[] });
const repeated = (text: string, weekdays: number[]) => ({ text, day: null, weekdays });

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
      weekMinutes: null,
      plan: [],
      exams: [],
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
    ['six tasks', { tasks: Array.from({ length: 6 }, () => task('x')) }, 'goalDayFull'],
    ['sixteen tasks', { tasks: Array.from({ length: 16 }, () => task('x')) }, 'invalidRequest'],
    ['an empty planned task', { plan: [once(' ', '2099-01-01')] }, 'goalTaskMalformed'],
    ['a planned task without a day', { plan: [repeated('x', [])] }, 'goalTaskMalformed'],
    [
      'a task of one day that is repeated',
      { plan: [{ ...once('x', '2099-01-01'), weekdays: [1] }] },
      'goalTaskMalformed',
    ],
    ['a task of 30 February', { plan: [once('x', '2099-02-30')] }, 'goalTaskMalformed'],
    [
      'six tasks of a later day',
      { plan: Array.from({ length: 6 }, () => once('x', '2099-01-01')) },
      'goalDayFull',
    ],
    // 1 January 2099 is a Thursday.
    [
      'a sixth task beside repeated ones',
      { plan: [...Array.from({ length: 5 }, () => repeated('x', [3])), once('x', '2099-01-01')] },
      'goalDayFull',
    ],
    [
      'six tasks of a weekday',
      { plan: Array.from({ length: 6 }, () => repeated('x', [0, 6])) },
      'goalDayFull',
    ],
    ['an eighth day of the week', { plan: [repeated('x', [7])] }, 'invalidRequest'],
    [
      '51 planned tasks',
      { plan: Array.from({ length: 51 }, (_, at) => once('x', `2${100 + at}-01-01`)) },
      'invalidRequest',
    ],
    ['an exam without a name', { exams: [{ name: ' ', day: '2099-01-01' }] }, 'examMalformed'],
    [
      'an exam with a name of 21 characters',
      { exams: [{ name: '가'.repeat(21), day: '2099-01-01' }] },
      'examMalformed',
    ],
    ['an exam on 30 February', { exams: [{ name: '수능', day: '2099-02-30' }] }, 'examMalformed'],
    [
      'eleven exams',
      { exams: Array.from({ length: 11 }, () => ({ name: 'x', day: '2099-01-01' })) },
      'invalidRequest',
    ],
    ['more than a week', { weekMinutes: 10_081 }, 'invalidRequest'],
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

  it('keeps its target over the day start of the learner, and unfinished tasks are carried over', async () => {
    await app.inject({
      method: 'PUT',
      url: '/api/user/settings/focus',
      payload: { timeZone: 'Asia/Seoul', dayStartMinutes: 240, startsOnEntering: true },
      headers: learner.headers,
    });
    goTo(app.clock, 23, 59);
    const set = { targetMinutes: 90, tasks: [task('오늘만', true)], isVisible: false };
    const { day } = (await put(set)).json<DatedGoal>();
    const plan = [once('내일', addDays(day, 1)), repeated('날마다', [0, 1, 2, 3, 4, 5, 6])];
    const exams = [{ name: '수능', day: addDays(day, 30) }];
    const planned = {
      ...set,
      tasks: [...set.tasks, task('남은 일')],
      weekMinutes: 600,
      plan,
      exams,
    };
    await put({ ...planned, day });
    goTo(app.clock, 3, 59);
    expect(await goal()).toEqual({ ...planned, day, version: 2 });
    app.clock.advance(MINUTE_MS);
    const next = await goal();
    expect(next.day > day).toBe(true);
    const tasks = [{ ...task('남은 일'), fromDay: day }, task('내일'), task('날마다')];
    const rest = { targetMinutes: 90, weekMinutes: 600, plan: plan.slice(1), exams };
    expect(next).toMatchObject({ ...rest, tasks });
    // A tab that still shows yesterday must not make its tasks today's.
    const late = await put({ ...set, day });
    expect([late.statusCode, late.json()]).toMatchObject([409, { errorCode: 'G002' }]);
    // A page of the release before knows no plan, and leaves it as it is.
    const answer = await put({ ...set, tasks, day: next.day });
    expect(answer.json()).toMatchObject({ ...rest, tasks });
    expect(await goal()).toMatchObject({ ...rest, tasks });
  });

  it('removes targets, plan and exams that are sent empty', async () => {
    const set = { targetMinutes: 90, tasks: [], isVisible: false };
    const plan = [repeated('날마다', [0])];
    await put({ ...set, weekMinutes: 600, plan, exams: [{ name: '수능', day: '2099-01-01' }] });
    await put({ ...set, weekMinutes: null, plan: [], exams: [] });
    expect(await goal()).toMatchObject({ weekMinutes: null, plan: [], exams: [] });
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

  it('does not say what was put off, or planned, or when an exam is', async () => {
    const host = await newLearner();
    await app.seat(host);
    await app.seat(learner);
    const { day } = await goal();
    const tasks = [{ ...task('밀린 일'), fromDay: addDays(day, -1) }];
    const secret = { plan: [once('비밀', addDays(day, 1))], exams: [{ name: '비밀', day }] };
    await put({ targetMinutes: 60, tasks, isVisible: true, weekMinutes: 777, ...secret });
    const received = await (await clients.connectAs(app, host)).subscribe(destinations.presence);
    await vi.waitFor(() =>
      expect(memberIn(received, learner)?.goal?.tasks).toEqual([task('밀린 일')]),
    );
    for (const hidden of ['비밀', '777', 'fromDay']) {
      expect(JSON.stringify(received)).not.toContain(hidden);
    }
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
