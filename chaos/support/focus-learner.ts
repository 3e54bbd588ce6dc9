import {
  type FocusClock,
  type FocusMove,
  focusTransitions,
  type TimerMove,
} from '@mogakgong/contract';
import { type Caller, callApi, hasHole, NO_MOVES, untilDone } from './learner-calls.ts';
import type { SiteDatabase } from './site.ts';

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

interface FocusLearnerOptions extends Caller {
  readonly userId: number;
  readonly stage: Stage;
  readonly database: SiteDatabase;
}

/** A learner's open visit in the database. */
interface Stored {
  readonly status: Status;
  readonly clock: FocusClock | null;
}

/** Somebody who is brought into a state, moves on while something is killed, and checks the outcome. */
export class FocusLearner {
  readonly counts = { ...NO_MOVES };
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
    await untilDone(() =>
      callApi(this.#options, 'PUT', '/api/user/settings/focus', {
        timeZone: 'Asia/Seoul',
        dayStartMinutes: 0,
        startsOnEntering: false,
      }),
    );
    await untilDone(() =>
      callApi(this.#options, 'POST', `/api/study-rooms/leave?userId=${userId}`),
    );
    if (stage.from !== 'none') {
      await untilDone(() => this.#enter());
      for (const move of ways[stage.from]) await untilDone(() => this.#move(move));
    }
    this.#before = await this.#stored();
    if (this.#before.status !== stage.from) throw new Error(`${userId} is not ${stage.from}`);
  }

  /** Makes the move once, whatever its outcome. */
  async attempt(): Promise<void> {
    this.counts.moves += 1;
    this.#answer = await this.#make().catch(() => null);
    if (this.#answer !== null) this.counts.acknowledged += 1;
  }

  /** Compares the database with the answer. */
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
    if (await hasHole(this.#options.database, this.#options.userId)) this.counts.holes += 1;
  }

  /** Repeats the move until it is acknowledged: a repetition is answered as done. */
  async finish(): Promise<void> {
    await untilDone(() => this.#make());
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
    await callApi(this.#options, 'POST', `/api/study-rooms/leave?userId=${this.#options.userId}`);
    return 'done';
  }

  async #enter(): Promise<'done'> {
    const path = `/api/study-rooms/enter?userId=${this.#options.userId}`;
    const { roomId } = await callApi<{ roomId: number }>(this.#options, 'POST', path);
    this.#roomId = roomId;
    return 'done';
  }

  async #move(move: TimerMove): Promise<FocusClock> {
    const body = { userId: this.#options.userId, roomId: this.#roomId };
    return (await callApi<{ clock: FocusClock }>(this.#options, 'POST', `/api/timer/${move}`, body))
      .clock;
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
}
