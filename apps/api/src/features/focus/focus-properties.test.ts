import { randomUUID } from 'node:crypto';
import {
  ATTENDANCE_MIN_MS,
  addSubject,
  chooseSubject,
  FORGIVEN_SILENCE_MS,
  getStatistics,
  getStudyDays,
  getStudySubjects,
  getToday,
  HOUR_MS,
  MINUTE_MS,
  type OwnSubjects,
  putFocusSettings,
  type RoomId,
  SECOND_MS,
  type Statistics,
  type StudyDays,
  type StudySubjects,
  type SubjectId,
  statusAfter,
  type TimerMove,
  type Today,
  timerMoves,
} from '@mogakgong/contract';
import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createFocusService } from '../../../test/focus-service.ts';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { rebuildRecords } from './rebuild.ts';

const ZONES = ['Asia/Seoul', 'America/New_York', 'Pacific/Apia', 'Europe/London'];
/** The eve of a leap day, a spring and an autumn change of clocks, the last evening of a year. */
const STARTS = [
  '2040-02-28T14:30:00Z',
  '2041-03-10T04:00:00Z',
  '2042-11-02T03:00:00Z',
  '2043-12-31T14:00:00Z',
];

const { app } = await openTestSite();
const { app: other } = await openTestSite({ besides: app });
const { focus } = createFocusService(other);

interface DayRule {
  readonly timeZone: string;
  readonly dayStartMinutes: number;
}

const dayRule = {
  timeZone: fc.constantFrom(...ZONES),
  dayStartMinutes: fc.constantFrom(0, 240, 360),
};

/** The subjects in these runs, beside none. */
const NAMES = ['수학', 'English', 'C++'] as const;
type SubjectName = (typeof NAMES)[number] | null;

/** A press of the timer, or of a subject. */
type Press = { readonly move: TimerMove } | { readonly subject: SubjectName };

const subjects = fc.constantFrom(null, ...NAMES);
const pressed: fc.Arbitrary<Press> = fc.oneof(
  fc.record({ move: fc.constantFrom(...timerMoves) }),
  fc.record({ subject: subjects }),
);

type Action =
  | { readonly kind: 'subject'; readonly subject: SubjectName; readonly tabs: number }
  /** Removed and added again. */
  | { readonly kind: 'renewSubject'; readonly subject: (typeof NAMES)[number] }
  | { readonly kind: 'move'; readonly move: TimerMove; readonly tabs: number }
  | { readonly kind: 'enter' | 'leave' | 'sweep' | 'clockBack' }
  | {
      /** Disconnected for a while, with one press meanwhile, which arrives before or after the connection. */
      readonly kind: 'press';
      readonly press: Press;
      readonly seconds: number;
      /** Moment of the press within it, from 0 to 1. */
      readonly at: number;
      readonly isSiteDown: boolean;
      readonly isHeardBefore: boolean;
      readonly tabs: number;
    }
  /** The client does not know whether its last press arrived. */
  | { readonly kind: 'pressAgain' }
  | { readonly kind: 'live'; readonly seconds: number }
  | { readonly kind: 'camera'; readonly isShown: boolean }
  | { readonly kind: 'silent' | 'outage'; readonly seconds: number }
  | (DayRule & { readonly kind: 'settle' })
  /** A change of settings is the first request afterwards. */
  | (DayRule & { readonly kind: 'silentSettle' | 'outageSettle'; readonly seconds: number });

const actions: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      move: fc.constantFrom(...timerMoves),
      tabs: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('subject' as const),
      subject: subjects,
      tabs: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('renewSubject' as const),
      subject: fc.constantFrom(...NAMES),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('enter' as const, 'leave' as const) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('press' as const),
      press: pressed,
      seconds: fc.oneof(fc.integer({ min: 0, max: 95 }), fc.integer({ min: 0, max: 550 })),
      at: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })),
      isSiteDown: fc.boolean(),
      isHeardBefore: fc.boolean(),
      tabs: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pressAgain' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sweep' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('camera' as const), isShown: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clockBack' as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('live' as const),
      seconds: fc.oneof(fc.integer({ min: 0, max: 120 }), fc.integer({ min: 0, max: 7 * 3_600 })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('silent' as const, 'outage' as const),
      seconds: fc.integer({ min: 1, max: 550 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      ...dayRule,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('silentSettle' as const),
      seconds: fc.integer({ min: 1, max: 550 }),
      ...dayRule,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('outageSettle' as const),
      seconds: fc.oneof(
        fc.integer({ min: 1, max: 550 }),
        fc.integer({ min: 601, max: 10 * 3_600 }),
      ),
      ...dayRule,
    }),
  },
);

const wallClocks = new Map(
  ZONES.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
  ]),
);

/** The learner's local date at a moment. */
function dayOf(ms: number, { timeZone, dayStartMinutes }: DayRule): string {
  const wall = Date.parse(`${wallClocks.get(timeZone)?.format(ms).replace(' ', 'T')}Z`);
  return new Date(wall - dayStartMinutes * MINUTE_MS).toISOString().slice(0, 10);
}

const isBusy = (status: string) => status === 'focus' || status === 'pause';

/** A model that counts time with a stopwatch and a calendar. */
class StudyModel {
  status: 'none' | 'idle' | 'focus' | 'pause' | 'away' = 'none';
  /** Away, because the camera is off. */
  isAwayByCamera = false;
  subject: SubjectName = null;
  rule: DayRule = { timeZone: 'Asia/Seoul', dayStartMinutes: 0 };
  readonly days = new Map<string, { focusMs: number; awayMs: number }>();
  /** Focus by day and subject. */
  readonly bySubject = new Map<string, number>();

  /** A period up to `agoMs` before now has passed in the status. */
  pass(ms: number, status = this.status, agoMs = 0): void {
    if (status !== 'focus' && status !== 'away') return;
    const endMs = app.clock.now().getTime() - agoMs;
    for (let atMs = endMs - ms; atMs < endMs; ) {
      const day = dayOf(atMs, this.rule);
      const untilMs = this.#endOf(day, atMs, endMs);
      const known = this.days.get(day) ?? { focusMs: 0, awayMs: 0 };
      known[`${status}Ms`] += untilMs - atMs;
      if (status === 'focus') {
        const key = `${day} ${this.subject}`;
        this.bySubject.set(key, (this.bySubject.get(key) ?? 0) + untilMs - atMs);
      }
      this.days.set(day, known);
      atMs = untilMs;
    }
  }

  /** A silence that has ended: a long one counts as away from its beginning. */
  silence(ms: number): void {
    this.pass(ms, ms > FORGIVEN_SILENCE_MS && isBusy(this.status) ? 'away' : this.status);
  }

  sum(key: 'focusMs' | 'awayMs'): number {
    return [...this.days.values()].reduce((all, one) => all + one[key], 0);
  }

  /** The end of a period, or of the day in which it begins. Whole seconds, like the days. */
  #endOf(day: string, fromMs: number, endMs: number): number {
    let [inside, outside] = [fromMs, endMs];
    if (dayOf(endMs - 1, this.rule) === day) return endMs;
    while (outside - inside > 1) {
      const middle = Math.floor((inside + outside) / 2);
      if (dayOf(middle, this.rule) === day) inside = middle;
      else outside = middle;
    }
    return outside;
  }
}

/** The days in a row that end with the last one; none when yesterday is not among them. */
function streakOf(days: readonly string[], today: string): number {
  const numbers = days.map((day) => Date.parse(day) / (24 * HOUR_MS));
  const last = numbers.at(-1);
  if (last === undefined || Date.parse(today) / (24 * HOUR_MS) - last > 1) return 0;
  let length = 1;
  while (numbers.at(-1 - length) === last - length) length += 1;
  return length;
}

/** Runs actions of one learner on two processes, which may stop at any time: they keep no state. */
class Scenario {
  readonly model = new StudyModel();
  learner: Learner;
  roomId: RoomId | null = null;
  lastPress: (Press & { readonly id: string; readonly atMs: number }) | null = null;
  subjectIds = new Map<string, SubjectId>();

  constructor(learner: Learner) {
    this.learner = learner;
  }

  #advance(ms: number): void {
    app.clock.advance(ms);
    other.clock.advance(ms);
  }

  /** Proof of life: repeats a move, which is answered as done. */
  async #sign(): Promise<void> {
    const repeated = { focus: 'resume', pause: 'pause', away: 'away' } as const;
    const { status } = this.model;
    this.learner = await app.renew(this.learner);
    if (status in repeated) await this.#move(repeated[status as keyof typeof repeated], 1);
  }

  async run(action: Action): Promise<void> {
    this.learner = await app.renew(this.learner);
    switch (action.kind) {
      case 'live':
        return this.#live(action.seconds * SECOND_MS);
      case 'silent':
        return this.#beSilent(action.seconds * SECOND_MS);
      case 'outage':
        return this.#beWithoutSite(action.seconds * SECOND_MS);
      case 'move':
        return this.#move(action.move, action.tabs);
      case 'press':
        return this.#pressOutOfReach(action);
      case 'pressAgain':
        return this.#pressAgain();
      case 'subject':
        return this.#choose(action.subject, action.tabs);
      case 'renewSubject':
        return this.#renewSubject(action.subject);
      case 'enter':
        return this.#enter();
      case 'leave':
        return this.#leave();
      case 'sweep':
        await app.runJob('watch');
        return app.runJob('silent learners');
      case 'camera':
        return this.#showCamera(action.isShown);
      case 'clockBack':
        return this.#setClockBack();
      case 'settle':
        return this.#settle(action);
      case 'silentSettle':
        return this.#beSilent(action.seconds * SECOND_MS, () => this.#settle(action));
      case 'outageSettle':
        return this.#beWithoutSite(action.seconds * SECOND_MS, () => this.#settle(action));
    }
  }

  async #live(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 80 * SECOND_MS) {
      const step = Math.min(left, 80 * SECOND_MS);
      this.#advance(step);
      this.model.pass(step);
      // A long period in few steps: only the last proof of life before a silence matters.
      if (left > 10 * MINUTE_MS) {
        const jump = left - 80 * SECOND_MS;
        await sql`
          update seat set last_seen_at = ${app.clock.now()}::timestamptz + make_interval(secs => ${jump / SECOND_MS})
          where user_id = ${this.learner.userId}`.execute(app.database);
        this.#advance(jump);
        this.model.pass(jump);
        break;
      }
      await this.#sign();
    }
    this.learner = await app.renew(this.learner);
    await this.watch();
  }

  /** The site runs all the time, so that a silence is the learner's own. */
  async watch(): Promise<void> {
    await sql`
      insert into life_watch values (1, ${app.clock.now()})
      on conflict (id) do update set watched_at = excluded.watched_at`.execute(app.database);
  }

  async #beSilent(ms: number, heard = () => this.#sign()): Promise<void> {
    await this.#sign();
    const steps = Math.ceil(ms / (100 * SECOND_MS));
    for (let step = 0; step < steps; step += 1) {
      this.#advance(Math.min(100 * SECOND_MS, ms - step * 100 * SECOND_MS));
      await this.watch();
      if (step % 2 === 1) await other.runJob('silent learners');
    }
    this.model.silence(ms);
    await heard();
  }

  /** All processes are down: a silence during it keeps the learner's status. */
  async #beWithoutSite(ms: number, heard = () => this.#sign()): Promise<void> {
    await this.#sign();
    await this.watch();
    this.#advance(ms);
    if (ms <= 10 * MINUTE_MS) this.model.pass(ms);
    else if (this.model.status !== 'none') {
      Object.assign(this.model, { status: 'focus', isAwayByCamera: false });
    }
    // In either order, as they are two jobs.
    const jobs = ['watch', 'silent learners'];
    for (const job of ms % 2_000 === 0 ? jobs : jobs.reverse()) await app.runJob(job);
    this.learner = await app.renew(this.learner);
    await heard();
  }

  async #move(move: TimerMove, tabs: number): Promise<void> {
    const status = this.model.status;
    const next = status === 'none' ? null : statusAfter(status, move);
    const answers = await Promise.all(
      Array.from({ length: tabs }, (_, tab) =>
        (tab % 2 === 0 ? app : other).inject({
          method: 'POST',
          url: `/api/timer/${move}`,
          payload: { userId: this.learner.userId, roomId: this.roomId ?? 1 },
          headers: this.learner.headers,
        }),
      ),
    );
    const expected = status === 'none' ? 403 : next === null ? 409 : 200;
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => expected));
    if (next === null) return;
    if (next !== status) this.model.isAwayByCamera = false;
    this.model.status = next as StudyModel['status'];
  }

  /**
   * A press counts from its moment, unless it is more than 90 s old or in a silence that counts as away:
   * downtime of the site counts for nobody (decision 090).
   */
  async #pressOutOfReach(press: Extract<Action, { kind: 'press' }>): Promise<void> {
    const { model } = this;
    if (model.status === 'none') return;
    await this.#sign();
    await this.watch();
    const ms = press.seconds * SECOND_MS;
    const beforeMs = Math.round(ms * press.at);
    const atMs = app.clock.now().getTime() + beforeMs;
    await this.#passSilently(beforeMs, press.isSiteDown);
    const pressed = { ...press.press, id: randomUUID(), atMs };
    const lateMs = ms - beforeMs;
    const isWorkLost = !press.isSiteDown && ms > FORGIVEN_SILENCE_MS && isBusy(model.status);
    const isTooOld = !press.isSiteDown && lateMs > FORGIVEN_SILENCE_MS;
    const next = this.#after(pressed);
    const isByCamera = model.status === 'away' && model.isAwayByCamera;
    const isBelieved = !isWorkLost && !isTooOld && !isByCamera && next !== null;
    await this.#passSilently(lateMs, press.isSiteDown);
    // The clock stands at the end: the past period is added now.
    if (isWorkLost) model.pass(ms, 'away');
    else {
      model.pass(beforeMs, model.status, lateMs);
      const { status, subject } = model;
      if (isBelieved) Object.assign(model, next);
      model.pass(lateMs);
      Object.assign(model, { status, subject });
    }
    this.learner = await app.renew(this.learner);
    if (press.isSiteDown) await app.runJob('watch');
    if (press.isHeardBefore) await this.#sign();
    await this.#press(pressed, press.tabs);
    // A refused press changes nothing, so it is no proof of life; the restored connection is.
    if (next === null) await this.#sign();
    this.lastPress = next === null ? null : pressed;
  }

  /** The learner's status and subject after a press; null if it is not allowed. */
  #after(press: Press): Pick<StudyModel, 'status' | 'subject'> | null {
    const { status, subject } = this.model;
    if (status === 'none') return null;
    if ('subject' in press) return { status, subject: press.subject };
    const next = statusAfter(status, press.move);
    return next === null ? null : { status: next as StudyModel['status'], subject };
  }

  async #passSilently(ms: number, isSiteDown: boolean): Promise<void> {
    for (let left = ms; left > 0; left -= 100 * SECOND_MS) {
      this.#advance(Math.min(left, 100 * SECOND_MS));
      if (isSiteDown) continue;
      await this.watch();
      await other.runJob('silent learners');
    }
  }

  /** A repeated press counts nothing. */
  async #pressAgain(): Promise<void> {
    if (this.lastPress === null || this.model.status === 'none') return;
    const { status, subject, isAwayByCamera } = this.model;
    await this.#press(this.lastPress, 2);
    Object.assign(this.model, { status, subject, isAwayByCamera });
  }

  async #press(press: NonNullable<Scenario['lastPress']>, tabs: number): Promise<void> {
    const isRepeated = this.lastPress?.id === press.id;
    const { status } = this.model;
    const next = this.#after(press);
    const answers = await this.#inTabs(tabs, this.#requestOf(press));
    const expected = next === null && !isRepeated ? 409 : 200;
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => expected));
    if (next === null) return;
    if (next.status !== status) this.model.isAwayByCamera = false;
    Object.assign(this.model, next);
  }

  #requestOf(pressed: NonNullable<Scenario['lastPress']>) {
    const { id, atMs } = pressed;
    const press = { id, atMs };
    if ('subject' in pressed) return this.#choiceOf(pressed.subject, press);
    const payload = { userId: this.learner.userId, roomId: this.roomId, press };
    return { method: 'POST', url: `/api/timer/${pressed.move}`, payload } as const;
  }

  #choiceOf(subject: SubjectName, press?: { readonly id: string; readonly atMs: number }) {
    const subjectId = subject === null ? null : this.subjectIds.get(subject);
    const { method, path: url } = chooseSubject;
    return { method, url, payload: { subjectId, press } } as const;
  }

  #inTabs(tabs: number, request: InjectOptions) {
    const { headers } = this.learner;
    return Promise.all(
      Array.from({ length: tabs }, (_, tab) =>
        (tab % 2 === 0 ? app : other).inject({ ...request, headers }),
      ),
    );
  }

  /** Also in a break, away, or without a seat: the next focus counts under it. */
  async #choose(subject: SubjectName, tabs: number): Promise<void> {
    const answers = await this.#inTabs(tabs, this.#choiceOf(subject));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
    this.model.subject = subject;
  }

  async addSubject(name: string): Promise<void> {
    const { method, path: url } = addSubject;
    const [added] = await this.#inTabs(1, { method, url, payload: { name } });
    const found = added?.json<OwnSubjects>().subjects.find((subject) => subject.name === name);
    this.subjectIds.set(name, found?.id as SubjectId);
  }

  async #renewSubject(name: (typeof NAMES)[number]): Promise<void> {
    const id = this.subjectIds.get(name);
    const { method } = { method: 'DELETE' } as const;
    const [removed] = await this.#inTabs(1, { method, url: `/api/subjects/${id}` });
    expect(removed?.statusCode).toBe(200);
    if (this.model.subject === name) this.model.subject = null;
    await this.addSubject(name);
  }

  /** The camera rule of a room has found it on or off. */
  async #showCamera(isShown: boolean): Promise<void> {
    const { model, learner } = this;
    const { rows } = await sql<{ visitId: number }>`
      select id as "visitId" from visit
      where user_id = ${learner.userId} and ended_at is null`.execute(app.database);
    const { visitId = 0 } = rows[0] ?? {};
    const isChanged = isShown
      ? model.status === 'away' && model.isAwayByCamera
      : model.status === 'focus';
    expect(await focus.followCamera({ userId: learner.userId, visitId }, isShown)).toBe(isChanged);
    if (!isChanged) return;
    model.status = isShown ? 'focus' : 'away';
    model.isAwayByCamera = !isShown;
  }

  async #enter(): Promise<void> {
    const seats = await Promise.all([app.seat(this.learner), other.seat(this.learner)]);
    expect(seats[0]).toBe(seats[1]);
    this.roomId = seats[0] ?? null;
    if (this.model.status === 'none') this.model.status = 'focus';
  }

  async #leave(): Promise<void> {
    await Promise.all([app.leave(this.learner), other.leave(this.learner)]);
    this.model.status = 'none';
    this.roomId = null;
    this.lastPress = null;
  }

  /** After being set back by an hour, the server's clock runs until it shows the same time again. */
  async #setClockBack(): Promise<void> {
    this.#advance(-HOUR_MS);
    this.learner = await app.renew(this.learner);
    if (this.model.status === 'focus') {
      await this.#move('pause', 1);
      await this.#move('resume', 1);
    }
    this.#advance(HOUR_MS);
    await app.recordSeen(this.learner);
    await this.watch();
  }

  async #settle({ timeZone, dayStartMinutes }: DayRule): Promise<void> {
    // As if the last change were long ago: the limit on changes is tested elsewhere.
    await sql`
      update study_record set rule_changed_at = null
      where user_id = ${this.learner.userId}`.execute(app.database);
    this.learner = await app.renew(this.learner);
    const answer = await other.inject({
      method: 'PUT',
      url: putFocusSettings.path,
      payload: { timeZone, dayStartMinutes, startsOnEntering: true },
      headers: this.learner.headers,
    });
    expect(answer.statusCode).toBe(200);
    this.model.rule = { timeZone, dayStartMinutes };
  }

  /** Compares the API with the model: totals, every day, today. */
  async check(): Promise<void> {
    this.learner = await app.renew(this.learner);
    const get = async <Reply>(url: string, query: Record<string, string> = {}) =>
      (await app.inject({ url, query, headers: this.learner.headers })).json<Reply>();
    const totals = await get<Statistics>(getStatistics.path);
    const today = await get<Today>(getToday.path);
    const year = Number(today.day.slice(0, 4));
    const period = { from: `${year - 1}-12-01`, to: `${year}-11-30` };
    const early = await get<StudyDays>(getStudyDays.path, period);
    const late = await get<StudyDays>(getStudyDays.path, {
      from: `${year}-12-01`,
      to: `${year + 1}-11-30`,
    });
    const days = [...early.days, ...late.days];
    const { model } = this;
    expect(totals.totalStudyTime).toBe(Math.floor(model.sum('focusMs') / SECOND_MS));
    expect(totals.totalAwayTime).toBe(Math.floor(model.sum('awayMs') / SECOND_MS));
    expect(days).toEqual(
      [...model.days]
        .map(([day, figures]) => ({ day, ...figures, manualMs: 0 }))
        .sort((one, two) => (one.day < two.day ? -1 : 1)),
    );
    await this.#checkSubjects(days);
    const ofToday = days.find(({ day }) => day === today.day)?.focusMs ?? 0;
    expect(today.todayStudyTime).toBe(Math.floor(ofToday / SECOND_MS));
    const attended = days.filter(({ focusMs }) => focusMs >= ATTENDANCE_MIN_MS);
    expect(totals.totalAttendanceDays).toBe(attended.length);
    // The day of a journey before the last one joins the row when its interval is closed.
    if (model.status === 'none') {
      expect(totals.lastAttendanceDate).toBe(attended.at(-1)?.day ?? null);
      expect(totals.continueAttendanceDays).toBe(
        streakOf(
          attended.map(({ day }) => day),
          today.day,
        ),
      );
    }
  }

  /** The focus of each day's subjects, with focus without one, equals the focus of that day. */
  async #checkSubjects(days: StudyDays['days']): Promise<void> {
    const year = Number(days.at(-1)?.day.slice(0, 4) ?? 2040);
    const bySubject = new Map<string, number>();
    for (const [from, to] of [
      [`${year - 1}-12-01`, `${year}-11-30`],
      [`${year}-12-01`, `${year + 1}-11-30`],
    ]) {
      const { headers } = this.learner;
      const answer = await app.inject({
        url: getStudySubjects.path,
        query: { from, to } as Record<string, string>,
        headers,
      });
      const { subjects, days: found } = answer.json<StudySubjects>();
      for (const { day, focusMs } of found) {
        const ofDay = days.find((one) => one.day === day)?.focusMs;
        expect(focusMs.reduce((sum, ms) => sum + ms, 0)).toBe(ofDay);
        for (const [place, ms] of focusMs.entries()) {
          if (ms > 0) bySubject.set(`${day} ${subjects[place]?.name}`, ms);
        }
      }
      for (const [place, { focusMs }] of subjects.entries()) {
        expect(found.reduce((sum, day) => sum + (day.focusMs[place] ?? 0), 0)).toBe(focusMs);
      }
    }
    expect(bySubject).toEqual(this.model.bySubject);
  }
}

/** Checks that no intervals of a learner overlap, and that the sums equal those of the intervals. */
async function assertStored({ userId }: Learner): Promise<void> {
  const { rows } = await sql`
    select from focus_interval as one join focus_interval as two
      on one.user_id = two.user_id and one.started_at < two.started_at and two.started_at < one.ended_at
    where one.user_id = ${userId}`.execute(app.database);
  expect(rows).toHaveLength(0);
  expect(await rebuildRecords(app.database)).toMatchObject({ corrected: 0 });
}

/** A refused press is no proof of life: 80 s later the silence would be longer than a seat is kept. */
const refusedAfterOutage: Action[] = [
  { kind: 'move', move: 'away', tabs: 1 },
  {
    kind: 'press',
    press: { move: 'start' },
    seconds: 521,
    at: 0,
    isSiteDown: true,
    isHeardBefore: false,
    tabs: 2,
  },
  { kind: 'live', seconds: 80 },
];

it('is exact to the millisecond whatever a learner does, wherever their days begin', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...STARTS),
      fc.array(actions, { minLength: 8, maxLength: 30 }),
      async (start, plan) => {
        const ms = Date.parse(start) - app.clock.now().getTime();
        app.clock.advance(ms);
        other.clock.advance(app.clock.now().getTime() - other.clock.now().getTime());
        await sql`truncate life_watch, life_outage`.execute(app.database);
        const scenario = new Scenario(await app.newLearner());
        await scenario.watch();
        for (const name of NAMES) await scenario.addSubject(name);
        await scenario.run({ kind: 'enter' });
        for (const action of plan) {
          await scenario.run(action);
          await scenario.check();
        }
        await scenario.run({ kind: 'leave' });
        await scenario.check();
        await assertStored(scenario.learner);
      },
    ),
    { numRuns: 40, examples: [[STARTS[0] ?? '', refusedAfterOutage]] },
  );
}, 180_000);
