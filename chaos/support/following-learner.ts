import { MINUTE_MS } from '@mogakgong/contract';
import { type Caller, callApi, enterAnew, hasHole, NO_MOVES, untilDone } from './learner-calls.ts';
import type { SiteDatabase } from './site.ts';

/** Both phases of the schedule, in minutes: longer than a round of kills. */
const PHASE_MINUTES = 8;
const PHASE_MS = PHASE_MINUTES * MINUTE_MS;
/**
 * The present phase began so long ago, less a part that differs by learner: the server stores one that is 105 s old,
 * so this happens during the kills (decision 137).
 */
const PHASE_AGE_MS = 105_000;
const PHASE_AGE_SPREAD_MS = 20_000;
const AGE_STEP_MS = 997;

/** A change of a timer that follows a schedule, in a phase of it. */
export interface Following {
  readonly phase: 'focus' | 'break';
  readonly change: 'none' | 'pause' | 'resume' | 'away' | 'unfollow' | 'leave';
}

const changes: readonly Following['change'][] = ['none', 'pause', 'unfollow', 'leave'];
export const followings: readonly Following[] = [
  ...changes.map((change) => ({ phase: 'focus', change }) as const),
  ...changes.map((change) => ({ phase: 'break', change }) as const),
  { phase: 'focus', change: 'away' },
  { phase: 'break', change: 'resume' },
];

interface Interval {
  readonly status: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** A learner's latest visit in the database. */
interface Stored {
  readonly status: 'focus' | 'pause' | 'away';
  readonly sinceMs: number;
  readonly endedAtMs: number | null;
  readonly isFollowing: boolean;
  readonly isScheduledBreak: boolean;
  readonly intervals: readonly Interval[];
}

interface FollowingLearnerOptions extends Caller {
  readonly userId: number;
  readonly following: Following;
  readonly database: SiteDatabase;
}

/**
 * Somebody whose timer follows a schedule while something is killed. The phases that have passed are put into the
 * database, as nobody waits for them. Their focus must be that of arithmetic on the schedule, to the millisecond.
 */
export class FollowingLearner {
  readonly counts = {
    ...NO_MOVES,
    /** Readings of focus, and those that differ from the arithmetic. */
    readings: 0,
    wrong: 0,
  };
  readonly #options: FollowingLearnerOptions;
  #roomId = 0;
  /** When the schedule began, and the learner joined it. */
  #startedAtMs = 0;
  #isAnswered = false;

  constructor(options: FollowingLearnerOptions) {
    this.#options = options;
  }

  /** Puts the learner into a room in which they have followed a schedule for a round and a part of the next. */
  async prepare(): Promise<void> {
    const { userId, database, following } = this.#options;
    this.#roomId = await enterAnew(this.#options, database, userId);
    const phases = following.phase === 'focus' ? 2 : 3;
    const agoMs = phases * PHASE_MS + PHASE_AGE_MS - ((userId * AGE_STEP_MS) % PHASE_AGE_SPREAD_MS);
    this.#startedAtMs = Date.now() - agoMs;
    await database.query(
      `with come as (
         update visit set began_at = $2, since = $2, schedule_started_at = $2,
                          schedule_focus_minutes = $3, schedule_break_minutes = $3
         where user_id = $1 and ended_at is null
       )
       update seat set entered_at = $2 where user_id = $1`,
      [userId, new Date(this.#startedAtMs), PHASE_MINUTES],
    );
  }

  /** Makes the one call that changes something; phases pass by themselves. */
  async attempt(): Promise<void> {
    this.counts.moves += 1;
    this.#isAnswered = await this.#make().then(
      () => this.#options.following.change !== 'none',
      () => false,
    );
    if (this.#isAnswered) this.counts.acknowledged += 1;
  }

  /** Compares the database with the answer, and the focus with the arithmetic. */
  async judge(): Promise<void> {
    const stored = await this.#stored();
    const isDone = this.#isDone(stored);
    if (this.#isAnswered) this.counts.lost += isDone ? 0 : 1;
    else if (isDone) this.counts.done += 1;
    else if (this.#isCarried(stored)) this.counts.notDone += 1;
    else this.counts.half += 1;
    await this.#checkTimes();
  }

  /** Repeats the change until it is acknowledged. */
  async finish(): Promise<void> {
    await untilDone(() => this.#make());
    const { change } = this.#options.following;
    if (change !== 'none' && !this.#isDone(await this.#stored())) this.counts.half += 1;
    await this.#checkTimes();
  }

  async #make(): Promise<void> {
    const { userId, following } = this.#options;
    const { change } = following;
    const body = { userId, roomId: this.#roomId };
    if (change === 'none') return;
    if (change === 'unfollow') {
      await callApi(this.#options, 'PUT', '/api/timer/schedule', { ...body, startedAtMs: null });
    } else if (change === 'leave') {
      await callApi(this.#options, 'POST', `/api/study-rooms/leave?userId=${userId}`);
    } else await callApi(this.#options, 'POST', `/api/timer/${change}`, body);
  }

  #isDone(stored: Stored): boolean {
    const { status, isFollowing, isScheduledBreak, endedAtMs } = stored;
    switch (this.#options.following.change) {
      case 'none':
        return false;
      case 'pause':
        return status === 'pause' && isFollowing && !isScheduledBreak;
      case 'resume':
        return this.#resumedAtMs(stored) !== null;
      case 'away':
        return status === 'away';
      case 'unfollow':
        return !isFollowing;
      case 'leave':
        return endedAtMs !== null;
    }
  }

  /** Whether nothing but phases has changed the visit. */
  #isCarried({ status, isFollowing, isScheduledBreak, endedAtMs }: Stored): boolean {
    const isByPhases = status === 'focus' || (status === 'pause' && isScheduledBreak);
    return isByPhases && isFollowing && endedAtMs === null;
  }

  /** When the learner resumed in a break: the beginning of focus that is no phase's. */
  #resumedAtMs({ status, sinceMs, intervals }: Stored): number | null {
    const running = { status, fromMs: sinceMs };
    const begun = [...intervals, running].find(
      (one) => one.status === 'focus' && (one.fromMs - this.#startedAtMs) % PHASE_MS !== 0,
    );
    return begun?.fromMs ?? null;
  }

  /** Reads the focus of the visit, and compares it and each stored interval with the arithmetic. */
  async #checkTimes(): Promise<void> {
    const { database, userId } = this.#options;
    const { visits, serverNowMs } = await this.#readVisit();
    const stored = await this.#stored();
    const focusUntil = (atMs: number) => this.#focusUntil(atMs, stored);
    const isExact = stored.intervals.every(
      ({ status, fromMs, toMs }) =>
        focusUntil(toMs) - focusUntil(fromMs) === (status === 'focus' ? toMs - fromMs : 0),
    );
    this.counts.readings += 1;
    if (!isExact || visits[0]?.focusMs !== focusUntil(serverNowMs)) this.counts.wrong += 1;
    if (await hasHole(database, userId)) this.counts.holes += 1;
  }

  async #readVisit() {
    type Reply = { visits: { focusMs: number }[]; serverNowMs: number };
    let reply: Reply = { visits: [], serverNowMs: 0 };
    await untilDone(async () => {
      reply = await callApi<Reply>(this.#options, 'GET', '/api/statistics/visits?count=1');
    });
    return reply;
  }

  /** The focus that is right at a moment: that of the schedule until the change, then that of the change. */
  #focusUntil(atMs: number, stored: Stored): number {
    const { phase, change } = this.#options.following;
    const scheduled = (ms: number) => scheduledFocusMs(ms - this.#startedAtMs);
    if (!this.#isDone(stored)) return scheduled(atMs);
    // A change within a break adds no focus, whenever in the break it was.
    const changedAtMs = this.#resumedAtMs(stored) ?? stored.endedAtMs ?? stored.sinceMs;
    if (atMs <= changedAtMs) return scheduled(atMs);
    const beforeMs = scheduled(changedAtMs);
    if (change === 'unfollow') return beforeMs + (phase === 'focus' ? atMs - changedAtMs : 0);
    if (change !== 'resume') return beforeMs;
    const rounds = Math.ceil((changedAtMs - this.#startedAtMs) / (2 * PHASE_MS));
    const nextBreakAtMs = this.#startedAtMs + rounds * 2 * PHASE_MS + PHASE_MS;
    const untilMs = Math.min(atMs, nextBreakAtMs);
    return beforeMs + untilMs - changedAtMs + scheduled(atMs) - scheduled(untilMs);
  }

  async #stored(): Promise<Stored> {
    const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float`;
    const [row] = await this.#options.database.query<Stored>(
      `select status, ${ms('since')} as "sinceMs", ${ms('ended_at')} as "endedAtMs",
              schedule_started_at is not null as "isFollowing",
              is_scheduled_break as "isScheduledBreak", (
                select coalesce(json_agg(json_build_object(
                  'status', part.status, 'fromMs', ${ms('part.started_at')},
                  'toMs', ${ms('part.ended_at')}) order by part.started_at), '[]')
                from focus_interval as part where part.visit_id = visit.id
              ) as intervals
       from visit where user_id = $1 order by id desc limit 1`,
      [this.#options.userId],
    );
    if (!row) throw new Error(`${this.#options.userId} has no visit`);
    return row;
  }
}

/** The focus in the first so many milliseconds of the schedule. */
function scheduledFocusMs(elapsedMs: number): number {
  const rounds = Math.floor(elapsedMs / (2 * PHASE_MS));
  return rounds * PHASE_MS + Math.min(PHASE_MS, elapsedMs - rounds * 2 * PHASE_MS);
}
