import { randomUUID } from 'node:crypto';
import {
  chooseSubject,
  clockAt,
  FORGIVEN_SILENCE_MS,
  focusedMs,
  followSchedule,
  getStudyDays,
  getToday,
  MINUTE_MS,
  type RoomId,
  SECOND_MS,
  type StudyDays,
  statusAfter,
  type TimerMove,
  type Today,
  timerMoves,
  todayMs,
} from '@mogakgong/contract';
import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createFocusService } from '../../../test/focus-service.ts';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { rebuildRecords } from './rebuild.ts';
import { focusingLearners, presentStatus } from './visits.ts';

const { app } = await openTestSite();
const { app: other } = await openTestSite({ besides: app });
const { focus } = createFocusService(other);

const seconds = fc.oneof(fc.integer({ min: 0, max: 95 }), fc.integer({ min: 0, max: 550 }));
const moves = fc.constantFrom(...timerMoves);

type Action =
  | { readonly kind: 'start'; readonly focusMinutes: number; readonly breakMinutes: number }
  | { readonly kind: 'stop' | 'join' | 'unjoin' | 'enter' | 'leave' | 'sweep' }
  | { readonly kind: 'move'; readonly move: TimerMove; readonly tabs: number }
  | { readonly kind: 'live'; readonly seconds: number; readonly hasJobs: boolean }
  | { readonly kind: 'camera'; readonly isShown: boolean }
  | {
      /** Disconnected for a while, perhaps with one press meanwhile. */
      readonly kind: 'gap';
      readonly seconds: number;
      readonly isSiteDown: boolean;
      readonly press: { readonly move: TimerMove; readonly at: number } | null;
      readonly isHeardBefore: boolean;
      readonly tabs: number;
    };

const one = <Kind extends string>(kind: Kind) => fc.constant({ kind });
const actions: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('start' as const),
      focusMinutes: fc.integer({ min: 1, max: 4 }),
      breakMinutes: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: one('stop') },
  { weight: 5, arbitrary: one('join') },
  { weight: 1, arbitrary: fc.oneof(one('unjoin'), one('leave')) },
  { weight: 2, arbitrary: fc.oneof(one('enter'), one('sweep')) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      move: moves,
      tabs: fc.integer({ min: 1, max: 2 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('live' as const),
      seconds: fc.integer({ min: 0, max: 1_200 }),
      hasJobs: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('camera' as const), isShown: fc.boolean() }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('gap' as const),
      seconds,
      isSiteDown: fc.boolean(),
      press: fc.option(fc.record({ move: moves, at: fc.double({ min: 0, max: 1, noNaN: true }) })),
      isHeardBefore: fc.boolean(),
      tabs: fc.integer({ min: 1, max: 2 }),
    }),
  },
);

interface Schedule {
  readonly startedAtMs: number;
  readonly focusMinutes: number;
  readonly breakMinutes: number;
}

/** The phase of a schedule, found by walking through all of them. */
function phaseOf({ startedAtMs, focusMinutes, breakMinutes }: Schedule, atMs: number) {
  let [endsAtMs, isBreak] = [startedAtMs + focusMinutes * MINUTE_MS, false];
  while (endsAtMs <= atMs) {
    isBreak = !isBreak;
    endsAtMs += (isBreak ? breakMinutes : focusMinutes) * MINUTE_MS;
  }
  return { endsAtMs, isBreak };
}

/** A stopwatch beside a schedule on the wall. */
class Stopwatch {
  status: 'none' | 'idle' | 'focus' | 'pause' | 'away' = 'none';
  isScheduledBreak = false;
  isAwayByCamera = false;
  followed: Schedule | null = null;
  focusMs = 0;
  awayMs = 0;
  visitMs = 0;
  #atMs: number;

  constructor(atMs: number) {
    this.#atMs = atMs;
  }

  get isBusy(): boolean {
    return this.status === 'focus' || this.status === 'pause';
  }

  /** Time passes, with the phases in it. @param counts what it counts as, if that is not the status. */
  runTo(untilMs: number, counts?: 'away'): void {
    while (this.#atMs < untilMs) {
      const phase = this.followed && phaseOf(this.followed, this.#atMs);
      const stepMs = Math.min(untilMs, phase?.endsAtMs ?? untilMs);
      const status = counts ?? this.status;
      if (status === 'away') this.awayMs += stepMs - this.#atMs;
      if (status === 'focus') {
        this.focusMs += stepMs - this.#atMs;
        this.visitMs += stepMs - this.#atMs;
      }
      this.#atMs = stepMs;
      if (phase && stepMs === phase.endsAtMs) this.#begin(!phase.isBreak);
    }
  }

  #begin(isBreak: boolean): void {
    if (isBreak && this.status === 'focus') this.set('pause', true);
    else if (!isBreak && this.isScheduledBreak) this.set('focus');
  }

  set(status: Stopwatch['status'], isScheduledBreak = false): void {
    Object.assign(this, { status, isScheduledBreak, isAwayByCamera: false });
  }

  /** The camera is back: the status goes on that would have run since. */
  camera: { readonly sinceMs: number } | null = null;
}

/** One learner on two processes; another one starts and ends schedules. */
class Scenario {
  readonly watch: Stopwatch;
  learner: Learner;
  host: Learner;
  roomId: RoomId;
  schedule: Schedule | null = null;

  constructor(learner: Learner, host: Learner, roomId: RoomId) {
    this.learner = learner;
    this.host = host;
    this.roomId = roomId;
    this.watch = new Stopwatch(this.nowMs);
  }

  get nowMs(): number {
    return app.clock.now().getTime();
  }

  async run(action: Action): Promise<void> {
    await this.renew();
    switch (action.kind) {
      case 'start':
        return this.#start(action.focusMinutes, action.breakMinutes);
      case 'stop':
        return this.#stop();
      case 'join':
        return this.#follow(this.schedule);
      case 'unjoin':
        return this.#follow(null);
      case 'enter':
        return this.enter();
      case 'leave':
        return this.leave();
      case 'sweep':
        return this.#sweep();
      case 'move':
        return this.#move(action.move, action.tabs);
      case 'live':
        return this.#live(action.seconds * SECOND_MS, action.hasJobs);
      case 'camera':
        return this.#showCamera(action.isShown);
      case 'gap':
        return this.#gap(action);
    }
  }

  async renew(): Promise<void> {
    this.learner = await app.renew(this.learner);
    this.host = await app.renew(this.host);
  }

  #advance(ms: number): void {
    app.clock.advance(ms);
    other.clock.advance(ms);
  }

  async siteIsUp(): Promise<void> {
    await sql`
      insert into life_watch values (1, ${app.clock.now()})
      on conflict (id) do update set watched_at = excluded.watched_at`.execute(app.database);
  }

  async #sweep(): Promise<void> {
    await other.runJob('watch');
    await other.runJob('silent learners');
    await app.runJob('phases');
  }

  /** A request that changes nothing is a proof of life. */
  async #sign(): Promise<void> {
    if (this.watch.status === 'none') return;
    await this.renew();
    const { method, path: url } = chooseSubject;
    await this.#inTabs(1, { method, url, payload: { subjectId: null } });
  }

  #inTabs(tabs: number, request: InjectOptions) {
    const { headers } = this.learner;
    return Promise.all(
      Array.from({ length: tabs }, (_, tab) =>
        (tab % 2 === 0 ? app : other).inject({ ...request, headers }),
      ),
    );
  }

  async #ofHost(method: 'PUT' | 'DELETE', payload?: object) {
    const url = `/api/study-rooms/${this.roomId}/pomodoro`;
    const { headers } = this.host;
    return other.inject({ method, url, headers, ...(payload && { payload }) });
  }

  async #start(focusMinutes: number, breakMinutes: number): Promise<void> {
    // Each schedule has a beginning of its own.
    this.#advance(1);
    this.watch.runTo(this.nowMs);
    const answer = await this.#ofHost('PUT', { focusMinutes, breakMinutes });
    expect(answer.statusCode).toBe(200);
    const { schedule } = answer.json<{ schedule: Schedule }>();
    if (schedule.startedAtMs === this.schedule?.startedAtMs) return;
    this.schedule = schedule;
    this.watch.followed = null;
  }

  async #stop(): Promise<void> {
    expect((await this.#ofHost('DELETE')).statusCode).toBe(200);
    this.schedule = null;
    this.watch.followed = null;
  }

  /** Joins a schedule: its phase begins. */
  async #follow(schedule: Schedule | null): Promise<void> {
    const { watch, nowMs } = this;
    const { method, path: url } = followSchedule;
    const { userId } = this.learner;
    const payload = { userId, roomId: this.roomId, startedAtMs: schedule?.startedAtMs ?? null };
    const answers = await this.#inTabs(2, { method, url, payload });
    const expected = watch.status === 'none' ? 403 : 200;
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([expected, expected]);
    if (watch.status === 'none') return;
    if (schedule === null) {
      watch.followed = null;
      watch.isScheduledBreak = false;
      return;
    }
    if (watch.followed === schedule) return;
    watch.followed = schedule;
    if (watch.isAwayByCamera) return;
    const { isBreak } = phaseOf(schedule, nowMs);
    watch.set(isBreak ? 'pause' : 'focus', isBreak);
  }

  async #live(ms: number, hasJobs: boolean): Promise<void> {
    for (let left = ms; left > 0; left -= 80 * SECOND_MS) {
      this.#advance(Math.min(left, 80 * SECOND_MS));
      this.watch.runTo(this.nowMs);
      await this.siteIsUp();
      await this.#sign();
      if (hasJobs) await app.runJob('phases');
    }
  }

  async #move(move: TimerMove, tabs: number): Promise<void> {
    const payload = { userId: this.learner.userId, roomId: this.roomId };
    await this.#press(move, tabs, { payload });
  }

  async #press(move: TimerMove, tabs: number, request: InjectOptions): Promise<void> {
    const { status } = this.watch;
    const next = status === 'none' ? null : statusAfter(status, move);
    const url = `/api/timer/${move}`;
    const answers = await this.#inTabs(tabs, { method: 'POST', url, ...request });
    const expected = status === 'none' ? 403 : next === null ? 409 : 200;
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => expected));
    this.#apply(move);
  }

  #apply(move: TimerMove): void {
    const { watch } = this;
    const next = watch.status === 'none' ? null : statusAfter(watch.status, move);
    if (next === null) return;
    if (next !== watch.status || next === 'pause') watch.set(next as Stopwatch['status']);
  }

  /** A silence of the learner; a press within it may be sent later (decisions 019 and 090). */
  async #gap(gap: Extract<Action, { kind: 'gap' }>): Promise<void> {
    await this.#sign();
    await this.siteIsUp();
    const { watch, nowMs: fromMs } = this;
    const ms = gap.seconds * SECOND_MS;
    const atMs = fromMs + Math.round(ms * (gap.press?.at ?? 1));
    await this.#passUnheard(ms, gap.isSiteDown);
    await this.renew();
    if (gap.isSiteDown) await app.runJob('watch');
    const isLost = !gap.isSiteDown && ms > FORGIVEN_SILENCE_MS && watch.isBusy;
    const isTooOld = !gap.isSiteDown && this.nowMs - atMs > FORGIVEN_SILENCE_MS;
    const isBelieved = !isLost && !isTooOld && !watch.isAwayByCamera;
    if (isBelieved) watch.runTo(atMs);
    else watch.runTo(this.nowMs, isLost ? 'away' : undefined);
    if (gap.isHeardBefore) {
      await this.#sign();
      await app.runJob('phases');
    }
    if (gap.press !== null && watch.status !== 'none') {
      const press = { id: randomUUID(), atMs };
      const payload = { userId: this.learner.userId, roomId: this.roomId, press };
      await this.#press(gap.press.move, gap.tabs, { payload });
    }
    await this.#sign();
    watch.runTo(this.nowMs);
  }

  async #passUnheard(ms: number, isSiteDown: boolean): Promise<void> {
    for (let left = ms; left > 0; left -= 100 * SECOND_MS) {
      this.#advance(Math.min(left, 100 * SECOND_MS));
      if (isSiteDown) continue;
      await this.siteIsUp();
      await other.runJob('silent learners');
      await other.runJob('phases');
    }
  }

  async #showCamera(isShown: boolean): Promise<void> {
    const { watch, learner } = this;
    const { rows } = await sql<{ visitId: number }>`
      select id as "visitId" from visit
      where user_id = ${learner.userId} and ended_at is null`.execute(app.database);
    await focus.followCamera({ userId: learner.userId, visitId: rows[0]?.visitId ?? 0 }, isShown);
    if (!isShown && watch.status === 'focus') {
      watch.set('away');
      watch.isAwayByCamera = true;
      watch.camera = { sinceMs: this.nowMs };
    } else if (isShown && watch.isAwayByCamera) {
      const { followed } = watch;
      const phase = followed && phaseOf(followed, this.nowMs);
      const began = followed && phase && this.nowMs >= followed.startedAtMs;
      const sinceMs = watch.camera?.sinceMs ?? 0;
      const isBreak = Boolean(began && phase.isBreak && this.#beganAfter(followed, sinceMs));
      watch.set(isBreak ? 'pause' : 'focus', isBreak);
    }
  }

  /** Whether the running break began after a moment. */
  #beganAfter(schedule: Schedule, sinceMs: number): boolean {
    return phaseOf(schedule, this.nowMs).endsAtMs - schedule.breakMinutes * MINUTE_MS > sinceMs;
  }

  async enter(): Promise<void> {
    if (this.watch.status !== 'none') return;
    await app.seat(this.learner, this.roomId);
    this.watch.set('focus');
    Object.assign(this.watch, { followed: null, visitMs: 0 });
  }

  async leave(): Promise<void> {
    await Promise.all([app.leave(this.learner), other.leave(this.learner)]);
    this.watch.set('none');
    this.watch.followed = null;
  }

  /** Every reading agrees with the stopwatch. */
  async check(): Promise<void> {
    await this.renew();
    const { watch, nowMs } = this;
    const { headers, userId } = this.learner;
    const get = async <Reply>(url: string, query: Record<string, string> = {}) =>
      (await other.inject({ url, query, headers })).json<Reply>();
    const period = { from: '2040-01-01', to: '2040-12-31' };
    const { days } = await get<StudyDays>(getStudyDays.path, period);
    const sum = (key: 'focusMs' | 'awayMs') => days.reduce((all, day) => all + day[key], 0);
    expect({ focusMs: sum('focusMs'), awayMs: sum('awayMs') }).toEqual({
      focusMs: watch.focusMs,
      awayMs: watch.awayMs,
    });
    const today = await get<Today>(getToday.path);
    expect(todayMs(today, nowMs)).toBe(watch.focusMs);
    const clock = (await focus.findClocks([userId])).get(userId);
    expect(clock && clockAt(clock, nowMs).status).toBe(
      watch.status === 'none' ? undefined : watch.status,
    );
    const now = new Date(nowMs);
    const { rows } = await sql`
      select ${presentStatus(sql`${userId}::bigint`, now)} as status,
             ${userId}::bigint in ${focusingLearners(now)} as "isFocusing"`.execute(app.database);
    const status = watch.status === 'none' ? null : watch.status;
    expect(rows).toEqual([{ status, isFocusing: status === 'focus' }]);
    if (clock) expect(focusedMs(clock, nowMs)).toBe(watch.visitMs);
    await this.#checkAhead(today);
  }

  /** A browser counts on by itself, also over the next phases, as long as nobody presses. */
  async #checkAhead(today: Today): Promise<void> {
    const later = Object.assign(new Stopwatch(this.nowMs), {
      ...this.watch,
    });
    const laterMs = this.nowMs + 7 * MINUTE_MS;
    later.runTo(laterMs);
    expect(todayMs(today, laterMs)).toBe(later.focusMs);
  }
}

it('adds and loses no millisecond of a followed schedule, whoever is away or down', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(actions, { minLength: 8, maxLength: 30 }), async (plan) => {
      // At noon: no day ends in a run.
      const noonMs = Date.parse('2040-05-05T03:00:00Z') - app.clock.now().getTime();
      app.clock.advance(noonMs);
      other.clock.advance(app.clock.now().getTime() - other.clock.now().getTime());
      await sql`truncate life_watch, life_outage`.execute(app.database);
      const [learner, host] = [await app.newLearner(), await app.newLearner()];
      const roomId = await app.seat(host);
      const scenario = new Scenario(learner, host, roomId);
      try {
        await scenario.siteIsUp();
        await scenario.enter();
        for (const action of plan) {
          await scenario.run(action);
          await scenario.check();
        }
      } finally {
        await scenario.renew();
        await scenario.leave();
        await app.leave(scenario.host);
      }
      await scenario.check();
      expect(await rebuildRecords(app.database)).toMatchObject({ corrected: 0 });
    }),
    { numRuns: 40 },
  );
}, 180_000);
