import { setTimeout as delay } from 'node:timers/promises';
import {
  type FocusClock,
  type FocusMove,
  focusTransitions,
  type TimerMove,
} from '@mogakgong/contract';
import type { RunDatabase } from '../../bench/support/product.ts';

type Status = 'none' | 'idle' | 'focus' | 'pause' | 'away';
type Move = FocusMove | 'enter';

/** A state, and a transition that leads out of it. */
export interface Stage {
  readonly from: Status;
  readonly move: Move;
}

/** Every state with every transition that the table allows, and entering. */
export const stages: readonly Stage[] = [
  { from: 'none', move: 'enter' },
  ...Object.entries(focusTransitions).flatMap(([move, { from }]) =>
    from.map((status) => ({ from: status as Status, move: move as FocusMove })),
  ),
];

/** How to come into a state from a room that was just entered with a timer that does not start. */
const ways: Readonly<Record<Status, readonly TimerMove[]>> = {
  none: [],
  idle: [],
  focus: ['start'],
  pause: ['start', 'pause'],
  away: ['start', 'away'],
};

interface FocusLearnerOptions {
  readonly userId: number;
  readonly token: string;
  readonly stage: Stage;
  readonly baseUrl: string;
  readonly database: RunDatabase;
}

/** What the database has of a learner's open visit. */
interface Stored {
  readonly status: Status;
  readonly clock: FocusClock | null;
}

const ANSWER_MS = 5_000;
const TRY_AGAIN_MS = 50;
const TRIES = 200;

/** Somebody who is brought into a state, moves on while something is killed, and checks what became of it. */
export class FocusLearner {
  readonly counts = {
    moves: 0,
    acknowledged: 0,
    done: 0,
    notDone: 0,
    lost: 0,
    half: 0,
    holes: 0,
  };
  readonly #options: FocusLearnerOptions;
  #roomId: number | null = null;
  #before: Stored = { status: 'none', clock: null };
  /** What was answered to the move: a clock, only that it is done, or nothing. */
  #answer: FocusClock | 'done' | null = null;

  constructor(options: FocusLearnerOptions) {
    this.#options = options;
  }

  /** Brings the learner into the state, every step acknowledged. */
  async prepare(): Promise<void> {
    const { stage, userId } = this.#options;
    await this.#until(() =>
      this.#call('PUT', '/api/user/settings/focus', {
        timeZone: 'Asia/Seoul',
        dayStartMinutes: 0,
        startsOnEntering: false,
      }),
    );
    await this.#until(() => this.#call('POST', `/api/study-rooms/leave?userId=${userId}`));
    if (stage.from !== 'none') {
      await this.#until(() => this.#enter());
      for (const move of ways[stage.from]) await this.#until(() => this.#move(move));
    }
    this.#before = await this.#stored();
    if (this.#before.status !== stage.from) throw new Error(`${userId} is not ${stage.from}`);
  }

  /** Makes the move once, whatever becomes of it. */
  async attempt(): Promise<void> {
    this.counts.moves += 1;
    this.#answer = await this.#make().catch(() => null);
    if (this.#answer !== null) this.counts.acknowledged += 1;
  }

  /** Holds the database against what was answered. */
  async judge(): Promise<void> {
    const now = await this.#stored();
    const isSame = JSON.stringify(now) === JSON.stringify(this.#before);
    const target = this.#target;
    const isMoved = now.status === target && !isSame;
    if (this.#answer !== null) {
      const isExact =
        this.#answer === 'done' || JSON.stringify(this.#answer) === JSON.stringify(now.clock);
      if (!isMoved || !isExact) this.counts.lost += 1;
    } else if (isSame) this.counts.notDone += 1;
    else if (isMoved) this.counts.done += 1;
    else this.counts.half += 1;
    if (await this.#hasHole()) this.counts.holes += 1;
  }

  /** Repeats the move until it is acknowledged: a repetition is answered as done. */
  async finish(): Promise<void> {
    await this.#until(() => this.#make());
    const { status } = await this.#stored();
    if (status !== this.#target) this.counts.half += 1;
  }

  get #target(): Status {
    const { move } = this.#options.stage;
    if (move === 'enter') return 'idle';
    return move === 'leave' ? 'none' : focusTransitions[move].to;
  }

  async #make(): Promise<FocusClock | 'done'> {
    const { move } = this.#options.stage;
    if (move === 'enter') return this.#enter();
    if (move !== 'leave') return this.#move(move);
    await this.#call('POST', `/api/study-rooms/leave?userId=${this.#options.userId}`);
    return 'done';
  }

  async #enter(): Promise<'done'> {
    const path = `/api/study-rooms/enter?userId=${this.#options.userId}`;
    const { roomId } = await this.#call<{ roomId: number }>('POST', path);
    this.#roomId = roomId;
    return 'done';
  }

  async #move(move: TimerMove): Promise<FocusClock> {
    const body = { userId: this.#options.userId, roomId: this.#roomId };
    return (await this.#call<{ clock: FocusClock }>('POST', `/api/timer/${move}`, body)).clock;
  }

  async #call<Reply>(method: string, path: string, body?: object): Promise<Reply> {
    const answer = await fetch(`${this.#options.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#options.token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${text}`);
    return JSON.parse(text) as Reply;
  }

  async #until(work: () => Promise<unknown>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await work();
        return;
      } catch (error) {
        if (attempt === TRIES) throw error;
        await delay(TRY_AGAIN_MS);
      }
    }
  }

  async #stored(): Promise<Stored> {
    const [row] = await this.#options.database.query<{ status: Status; clock: FocusClock }>(
      `select visit.status, json_build_object(
         'status', status, 'focusMs', focus_ms, 'awayMs', away_ms,
         'sinceMs', (extract(epoch from since) * 1000)::bigint) as clock
       from visit join seat using (user_id) where user_id = $1 and ended_at is null`,
      [this.#options.userId],
    );
    return row ?? { status: 'none', clock: null };
  }

  /** Whether a visit of this learner is not covered by its intervals from its first start to its end. */
  async #hasHole(): Promise<boolean> {
    const rows = await this.#options.database.query(
      `select from (
         select ended_at, lead(started_at) over (partition by visit_id order by started_at) as next,
                visit_id, max(ended_at) over (partition by visit_id) as last
         from focus_interval where user_id = $1
       ) as part join visit on visit.id = visit_id
       where next <> part.ended_at
          or last <> coalesce(visit.ended_at, visit.since)
       union all
       select from visit where user_id = $1 and (ended_at is null) <> exists (
         select from seat where seat.user_id = visit.user_id
       ) and id = (select max(id) from visit where user_id = $1)`,
      [this.#options.userId],
    );
    return rows.length > 0;
  }
}
