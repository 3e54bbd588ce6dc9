import {
  clockAt,
  destinations,
  focusedMs,
  followSchedule,
  MINUTE_MS,
  type PresenceMessage,
  pomodoroPhase,
  type RoomId,
  type RoomPomodoro,
  type TimerReply,
  tileMs,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { untilLocked } from '../../../test/lock-waits.ts';
import type { Received } from '../../../test/stomp-client.ts';
import { createTestApp, type Learner, type TestApp } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { createInProcessBackplane } from '../../platform/backplane/index.ts';

/** Two processes of one site. */
const backplane = createInProcessBackplane();
const { app: first, clients } = await openTestSite({ backplane });
const { app: second } = await openTestSite({ backplane, besides: first });
const apps = [first, second] as const;

const ask = (
  method: 'GET' | 'PUT' | 'DELETE',
  { headers }: Learner,
  roomId: RoomId,
  { lengths, app = apps[0] }: { lengths?: readonly [number, number]; app?: TestApp } = {},
) =>
  app.inject({
    method,
    url: `/api/study-rooms/${roomId}/pomodoro`,
    headers,
    ...(lengths && { payload: { focusMinutes: lengths[0], breakMinutes: lengths[1] } }),
  });

const scheduleOf = async (learner: Learner, roomId: RoomId, app = apps[0]) =>
  (await ask('GET', learner, roomId, { app })).json<RoomPomodoro>().schedule;

/** Learners in one room, which is empty again after they leave. */
async function gather(count: number, roomId?: RoomId) {
  const learners: Learner[] = [];
  let room = roomId;
  for (let seated = 0; seated < count; seated += 1) {
    const learner = await apps[0].newLearner();
    room = await apps[0].seat(learner, room);
    learners.push(learner);
  }
  const disperse = () => Promise.all(learners.map((learner) => apps[0].leave(learner)));
  return { learners: learners as [Learner, Learner], roomId: room as RoomId, disperse };
}

const lastOf = (received: readonly Received[]) => received.at(-1)?.body as PresenceMessage;

describe('the schedule of a room', () => {
  it('is off until somebody starts it, then everybody’s at both processes', async () => {
    const { learners, roomId, disperse } = await gather(2);
    const [host, guest] = learners;
    expect(await scheduleOf(host, roomId)).toBeNull();
    const received = await Promise.all(
      [0, 1].map(async (index) =>
        (await clients.connectAs(apps[index as 0 | 1], learners[index as 0 | 1])).subscribe(
          destinations.presence,
        ),
      ),
    );
    expect(received.map((messages) => lastOf(messages))).toMatchObject([
      { kind: 'snapshot' },
      { kind: 'snapshot' },
    ]);
    expect(lastOf(received[0] ?? [])).not.toHaveProperty('pomodoro');

    const startedAtMs = apps[0].clock.now().getTime();
    const schedule = { focusMinutes: 25, breakMinutes: 5, startedAtMs };
    const started = await ask('PUT', guest, roomId, { lengths: [25, 5] });
    expect(started.json()).toEqual({ roomId, schedule, mayEnd: true, serverNowMs: startedAtMs });
    for (const messages of received) {
      await vi.waitFor(() =>
        expect(lastOf(messages)).toMatchObject({
          kind: 'change',
          change: { type: 'pomodoro', userId: guest.userId, schedule },
        }),
      );
    }
    expect(await scheduleOf(host, roomId, apps[1])).toEqual(schedule);

    await ask('DELETE', guest, roomId, { app: apps[1] });
    for (const messages of received) {
      await vi.waitFor(() =>
        expect(lastOf(messages)).toMatchObject({
          change: { type: 'pomodoro', userId: guest.userId, schedule: null },
        }),
      );
    }
    expect(await scheduleOf(host, roomId)).toBeNull();
    await disperse();
  });

  it('is in the snapshot of a newcomer, also after a restart', async () => {
    const { learners, roomId, disperse } = await gather(1);
    const started = await ask('PUT', learners[0], roomId, { lengths: [50, 10] });
    const { schedule } = started.json<RoomPomodoro>();
    const restarted = await createTestApp({ besides: apps[0] });
    try {
      await restarted.listen();
      const newcomer = await apps[0].newLearner();
      await apps[0].seat(newcomer, roomId);
      const received = await (await clients.connectAs(restarted, newcomer)).subscribe(
        destinations.presence,
      );
      const snapshot = lastOf(received);
      if (snapshot.kind !== 'snapshot') throw new Error('no snapshot came first');
      expect(snapshot.pomodoro).toEqual(schedule);
      expect(
        snapshot.pomodoro && pomodoroPhase(snapshot.pomodoro, snapshot.serverNowMs),
      ).toMatchObject({ kind: 'focus', round: 1 });
      await restarted.leave(newcomer);
    } finally {
      await clients.closeAll();
      await restarted.close();
    }
    await disperse();
  });

  it('begins once, however many learners click at the same moment', async () => {
    const { learners, roomId, disperse } = await gather(2);
    const received = await (await clients.connectAs(apps[0], learners[0])).subscribe(
      destinations.presence,
    );
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        ask('PUT', learners[(index % 2) as 0 | 1], roomId, {
          lengths: [25, 5],
          app: apps[(index % 2) as 0 | 1],
        }),
      ),
    );
    const first = await scheduleOf(learners[0], roomId);
    apps[0].clock.advance(MINUTE_MS);
    expect((await ask('PUT', learners[1], roomId, { lengths: [25, 5] })).json()).toMatchObject({
      schedule: first,
    });
    const changes = () =>
      received.filter(({ body }) => (body as PresenceMessage).kind === 'change');
    expect(changes()).toHaveLength(1);
    // Other lengths start a new schedule, for learners with the right to change it.
    const [first1, first2] = await Promise.all(
      learners.map(async (learner) => (await ask('GET', learner, roomId)).json<RoomPomodoro>()),
    );
    expect([first1?.mayEnd, first2?.mayEnd].filter(Boolean)).toHaveLength(1);
    const starter = first1?.mayEnd ? learners[0] : learners[1];
    const changed = await ask('PUT', starter, roomId, { lengths: [50, 10] });
    expect(changed.json<RoomPomodoro>().schedule).toEqual({
      focusMinutes: 50,
      breakMinutes: 10,
      startedAtMs: apps[0].clock.now().getTime(),
    });
    await vi.waitFor(() => expect(changes()).toHaveLength(2));
    await disperse();
  });

  it('is changed and ended for all by its starter only, or by anybody once they have left', async () => {
    const { learners, roomId, disperse } = await gather(2);
    const [starter, other] = learners;
    await ask('PUT', starter, roomId, { lengths: [25, 5] });
    const view = async (learner: Learner) =>
      (await ask('GET', learner, roomId)).json<RoomPomodoro>().mayEnd;
    expect([await view(starter), await view(other)]).toEqual([true, false]);
    const refused = [
      await ask('DELETE', other, roomId),
      await ask('PUT', other, roomId, { lengths: [50, 10] }),
    ];
    expect(refused.map((answer) => [answer.statusCode, answer.json().errorCode])).toEqual([
      [403, 'R016'],
      [403, 'R016'],
    ]);
    expect(await scheduleOf(other, roomId)).toMatchObject({ focusMinutes: 25 });
    await apps[0].leave(starter);
    expect(await view(other)).toBe(true);
    expect((await ask('DELETE', other, roomId)).json()).toMatchObject({ schedule: null });
    await disperse();
  });

  it('is ended by the host of the room, even if another learner started it', async () => {
    const [host, guest] = [await apps[0].newLearner(), await apps[0].newLearner()];
    const roomId = await apps[0].openHostedRoom(host);
    await apps[0].seat(host, roomId);
    await apps[0].seat(guest, roomId);
    await ask('PUT', guest, roomId, { lengths: [25, 5] });
    // A change of the lengths by the host leaves the starter their right.
    const changed = await ask('PUT', host, roomId, { lengths: [50, 10] });
    expect(changed.json()).toMatchObject({ schedule: { focusMinutes: 50 }, mayEnd: true });
    expect((await ask('GET', guest, roomId)).json()).toMatchObject({ mayEnd: true });
    expect((await ask('DELETE', host, roomId)).json()).toMatchObject({ schedule: null });
    await Promise.all([host, guest].map((learner) => apps[0].leave(learner)));
  });

  it('ends with the gathering', async () => {
    const { learners, roomId, disperse } = await gather(2);
    await ask('PUT', learners[0], roomId, { lengths: [25, 5] });
    await apps[0].leave(learners[0]);
    expect(await scheduleOf(learners[1], roomId)).not.toBeNull();
    await disperse();
    const next = await gather(1, roomId);
    expect(await scheduleOf(next.learners[0], roomId)).toBeNull();
    const received = await (await clients.connectAs(apps[0], next.learners[0])).subscribe(
      destinations.presence,
    );
    expect(lastOf(received)).not.toHaveProperty('pomodoro');
    expect(
      (await ask('PUT', next.learners[0], roomId, { lengths: [25, 5] })).json<RoomPomodoro>()
        .schedule,
    ).not.toBeNull();
    await next.disperse();
  });

  it('is for learners in the room only', async () => {
    const { learners, roomId, disperse } = await gather(1);
    const stranger = await apps[0].newLearner();
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const lengths = method === 'PUT' ? ([25, 5] as const) : undefined;
      const answer = await ask(method, stranger, roomId, { ...(lengths && { lengths }) });
      expect([answer.statusCode, answer.json()]).toMatchObject([403, { errorCode: 'R004' }]);
    }
    expect(await scheduleOf(learners[0], roomId)).toBeNull();
    await disperse();
  });

  it.each([
    [0, 5],
    [181, 5],
    [25, 0],
    [25, 61],
    [99_999, 99_999],
    [2.5, 5],
  ])('refuses %d minutes and a break of %d', async (...lengths) => {
    const { learners, roomId, disperse } = await gather(1);
    const answer = await ask('PUT', learners[0], roomId, { lengths });
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { error: 'invalidRequest' }]);
    await disperse();
  });

  it('is limited to twenty calls a minute', async () => {
    const limited = await createTestApp({ env: { RATE_LIMIT_SCALE: '1' }, besides: apps[0] });
    const { learners, roomId, disperse } = await gather(1);
    try {
      const statuses = [];
      for (let count = 0; count <= 20; count += 1) {
        const lengths = [25, (count % 2) + 5] as const;
        statuses.push(
          (await ask('PUT', learners[0], roomId, { lengths, app: limited })).statusCode,
        );
      }
      expect(new Set(statuses.slice(0, 20))).toEqual(new Set([200]));
      expect(statuses.at(-1)).toBe(429);
    } finally {
      await limited.close();
    }
    await disperse();
  });
});

describe('a timer that follows the schedule', () => {
  const [app] = apps;
  const pass = (ms: number) => {
    for (const one of apps) one.clock.advance(ms);
  };
  /** Minutes with signs of life. */
  const live = async (minutes: number, { userId }: Learner) => {
    for (let minute = 0; minute < minutes; minute += 1) {
      pass(MINUTE_MS);
      await sql`
        update seat set last_seen_at = ${app.clock.now()} where user_id = ${userId}`.execute(
        app.database,
      );
    }
  };
  const follow = async (learner: Learner, roomId: RoomId, startedAtMs: number | null) => {
    const { userId, headers } = learner;
    const payload = { userId, roomId, startedAtMs };
    return app.inject({ method: 'PUT', url: followSchedule.path, payload, headers });
  };
  /** The clock in an answer, at its moment. */
  const clockIn = (answer: { json<Body>(): Body }) => {
    const { clock, serverNowMs } = answer.json<TimerReply>();
    return { ...clock, focusMs: focusedMs(clock, serverNowMs) };
  };
  const start = async (learner: Learner, roomId: RoomId) => {
    await ask('PUT', learner, roomId, { lengths: [5, 2] });
    return (await scheduleOf(learner, roomId))?.startedAtMs ?? 0;
  };

  it.each([
    ['focus', 'focus', []],
    ['focus', 'focus', ['pause']],
    ['focus', 'focus', ['away']],
    ['break', 'pause', []],
    ['break', 'pause', ['pause']],
    ['break', 'pause', ['away']],
  ] as const)('joining in a %s begins it: %s, whatever ran', async (phase, status, moves) => {
    const { learners, roomId, disperse } = await gather(2);
    const startedAtMs = await start(learners[0], roomId);
    for (const move of moves) await app.move(learners[1], move, roomId);
    if (phase === 'break') pass(5 * MINUTE_MS);
    const joined = clockIn(await follow(learners[1], roomId, startedAtMs));
    expect(joined).toMatchObject({ status, sinceMs: app.clock.now().getTime() });
    // The other learner's timer goes on by itself.
    const other = await app.move(learners[0], 'resume', roomId);
    expect(clockIn(other)).toMatchObject({ status: 'focus' });
    await disperse();
  });

  it('changes with each phase, and without a request; presence carries what is needed', async () => {
    const { learners, roomId, disperse } = await gather(2);
    const received = await (await clients.connectAs(app, learners[1])).subscribe(
      destinations.presence,
    );
    const startedAtMs = await start(learners[0], roomId);
    await follow(learners[0], roomId, startedAtMs);
    await vi.waitFor(() =>
      expect(lastOf(received)).toMatchObject({
        change: { type: 'clock', clock: { schedule: { startedAtMs } } },
      }),
    );
    const seen = lastOf(received);
    const clock = seen.kind === 'change' && seen.change.type === 'clock' && seen.change.clock;
    if (!clock) throw new Error('presence sent no clock');
    const at = (minutes: number) => clockAt(clock, startedAtMs + minutes * MINUTE_MS);
    expect(at(4.9).status).toBe('focus');
    expect(at(5)).toMatchObject({ status: 'pause', sinceMs: startedAtMs + 5 * MINUTE_MS });
    expect(at(7)).toMatchObject({ status: 'focus', focusMs: 5 * MINUTE_MS });
    expect(tileMs(clock, startedAtMs + 5.5 * MINUTE_MS)).toBe(1.5 * MINUTE_MS);
    await disperse();
  });

  it('stays in a pause by hand, and goes on after leaving as it was', async () => {
    const { learners, roomId, disperse } = await gather(1);
    const [learner] = learners;
    const startedAtMs = await start(learner, roomId);
    await follow(learner, roomId, startedAtMs);
    pass(MINUTE_MS);
    await app.move(learner, 'pause', roomId);
    pass(MINUTE_MS);
    const left = clockIn(await follow(learner, roomId, null));
    expect(left).toMatchObject({ status: 'pause', focusMs: MINUTE_MS });
    expect(left).not.toHaveProperty('schedule');
    await disperse();
  });

  it('keeps the phases before the schedule was ended for everybody, and changes no more', async () => {
    const { learners, roomId, disperse } = await gather(2);
    const startedAtMs = await start(learners[0], roomId);
    await follow(learners[1], roomId, startedAtMs);
    await live(6, learners[1]);
    await ask('DELETE', learners[0], roomId);
    await live(3, learners[1]);
    // Still in what was the break of the schedule: it is their own now.
    const repeated = clockIn(await follow(learners[1], roomId, null));
    expect(repeated).toMatchObject({ status: 'pause', focusMs: 5 * MINUTE_MS });
    const refused = await follow(learners[1], roomId, startedAtMs);
    expect([refused.statusCode, refused.json()]).toMatchObject([409, { error: 'pomodoroEnded' }]);
    await disperse();
  });

  it.each([
    ['DELETE', undefined],
    ['PUT', [6, 2]],
  ] as const)('is of the schedule that runs, however it waits for %s', async (method, lengths) => {
    const { learners, roomId, disperse } = await gather(2);
    const startedAtMs = await start(learners[0], roomId);
    pass(1_000);
    /** Sends two changes, of which the first is served first. */
    const inOrder = async <First, Last>(first: () => Promise<First>, last: () => Promise<Last>) => {
      const [locked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const holding = app.database.transaction().execute(async (db) => {
        await sql`select from study_room where id = ${roomId} for update`.execute(db);
        locked.resolve();
        await held.promise;
      });
      await locked.promise;
      const answers = [first(), untilLocked(app.database, 1).then(last)] as const;
      await untilLocked(app.database, 2);
      held.resolve();
      await holding;
      return Promise.all(answers);
    };
    const change = () => ask(method, learners[0], roomId, lengths && { lengths });
    const join = (atMs = startedAtMs) => follow(learners[1], roomId, atMs);
    const [changed, late] = await inOrder(change, () => join());
    expect([changed.statusCode, late.json().error]).toEqual([200, 'pomodoroEnded']);
    await ask('DELETE', learners[0], roomId);
    const again = await start(learners[0], roomId);
    pass(1_000);
    const [joined] = await inOrder(() => join(again), change);
    expect(clockIn(joined)).toMatchObject({ schedule: { startedAtMs: again } });
    const after = clockIn(await app.move(learners[1], 'resume', roomId));
    expect(after.schedule?.endedAtMs).toBe(app.clock.now().getTime());
    await disperse();
  });

  it('is joined in four statements', async () => {
    const { learners, roomId, disperse } = await gather(1);
    const startedAtMs = await start(learners[0], roomId);
    app.queries.splice(0);
    await follow(learners[0], roomId, startedAtMs);
    const ofJoining = /for update|for no key update|as "silentMs"|saved as/u;
    expect(app.queries.filter((text) => ofJoining.test(text))).toHaveLength(4);
    await disperse();
  });
});
