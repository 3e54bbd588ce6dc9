import { type Caller, callApi, enterAnew, hasHole, NO_MOVES, untilDone } from './learner-calls.ts';
import type { SiteDatabase } from './site.ts';

/** What the server does to a visit beside what the learner asks for. */
export const settlements = [
  'silence',
  'return',
  'renewal',
  'settings',
  'settings after silence',
  'title',
] as const;
export type Settlement = (typeof settlements)[number];

const NEW_ZONE = 'Europe/London';

interface Plan {
  /** How long ago the learner came, and was last heard, in seconds. */
  readonly cameAgo: number;
  readonly heardAgo: number;
  /** What is stored once it is done. */
  readonly done: string;
}

const away = 'focus→away in Asia/Seoul: focus';
const plans: Readonly<Record<Settlement, Plan>> = {
  silence: { cameAgo: 900, heardAgo: 300, done: away },
  return: { cameAgo: 900, heardAgo: 300, done: 'pause in Asia/Seoul: focus, silence' },
  renewal: { cameAgo: 1_500, heardAgo: 700, done: 'ended, pause in Asia/Seoul: focus' },
  settings: { cameAgo: 900, heardAgo: 0, done: 'focus in Europe/London: focus' },
  'settings after silence': {
    cameAgo: 900,
    heardAgo: 300,
    done: 'focus in Europe/London: focus, silence',
  },
  title: { cameAgo: 4_200, heardAgo: 0, done: 'focus in Asia/Seoul: ; titled' },
};
const before = 'focus in Asia/Seoul: ';
/** After ten minutes of silence the server gives the seat up, if the calls of a round take so long. */
const givenUp = 'ended: focus';

interface SettledLearnerOptions extends Caller {
  readonly userId: number;
  readonly settlement: Settlement;
  readonly database: SiteDatabase;
}

/**
 * Somebody with whom something must be settled. The silence, and the time in the room, are put into
 * the database: nobody waits for ten minutes, and the product has no switch for it.
 */
export class SettledLearner {
  readonly counts = { ...NO_MOVES };
  readonly #options: SettledLearnerOptions;
  #roomId = 0;
  #isAnswered = false;

  constructor(options: SettledLearnerOptions) {
    this.#options = options;
  }

  /** Puts the learner into a room in which they have been focusing, and were heard, for so long. */
  async prepare(): Promise<void> {
    const { userId, database, settlement } = this.#options;
    const { cameAgo, heardAgo } = plans[settlement];
    this.#roomId = await enterAnew(this.#options, database, userId);
    await database.query(
      `with come as (
         update visit set began_at = began_at - make_interval(secs => $2),
                          since = since - make_interval(secs => $2)
         where user_id = $1 and ended_at is null
       )
       update seat set entered_at = entered_at - make_interval(secs => $2),
                       last_seen_at = last_seen_at - make_interval(secs => $3)
       where user_id = $1`,
      [userId, cameAgo, heardAgo],
    );
  }

  async isSettled(): Promise<boolean> {
    return (await this.#stored()) === this.#plan.done;
  }

  /** Makes the one call that settles it; a silence is settled by the server alone. */
  async attempt(): Promise<void> {
    this.counts.moves += 1;
    this.#isAnswered = await this.#make().then(
      () => this.#options.settlement !== 'silence',
      () => false,
    );
    if (this.#isAnswered) this.counts.acknowledged += 1;
  }

  /** Compares the database with the answer: all of it is there, or nothing. */
  async judge(): Promise<void> {
    const { database, userId } = this.#options;
    const stored = await this.#stored();
    const isDone = stored === this.#plan.done;
    if (this.#isAnswered) this.counts.lost += isDone ? 0 : 1;
    else if (isDone) this.counts.done += 1;
    // The server may have found them away, or given up their seat, meanwhile: that is consistent, too.
    else if (stored === before || (this.#plan.heardAgo > 0 && [away, givenUp].includes(stored))) {
      this.counts.notDone += 1;
    } else this.counts.half += 1;
    if (await hasHole(database, userId)) this.counts.holes += 1;
  }

  /** Repeats the call, or waits for the server, until it is settled. */
  async finish(): Promise<void> {
    await untilDone(async () => {
      if ((await this.#stored()) === givenUp) return;
      await this.#make();
      const stored = await this.#stored();
      if (stored !== this.#plan.done) throw new Error(`${this.#options.settlement}: ${stored}`);
    });
    if (await hasHole(this.#options.database, this.#options.userId)) this.counts.holes += 1;
  }

  get #plan(): Plan {
    return plans[this.#options.settlement];
  }

  async #make(): Promise<void> {
    const { userId, settlement } = this.#options;
    if (settlement === 'silence') return;
    if (settlement === 'title') {
      await callApi(this.#options, 'GET', `/api/titles/${userId}/list`);
    } else if (settlement === 'return' || settlement === 'renewal') {
      const body = { userId, roomId: this.#roomId };
      await callApi(this.#options, 'POST', '/api/timer/pause', body);
    } else {
      const settings = { timeZone: NEW_ZONE, dayStartMinutes: 0, startsOnEntering: true };
      await callApi(this.#options, 'PUT', '/api/user/settings/focus', settings);
    }
  }

  /** What the database has of this learner, as text. */
  async #stored(): Promise<string> {
    const [row] = await this.#options.database.query<{ text: string }>(
      `select concat(
         (select string_agg(case when ended_at is null
                   then concat(returns_to || '→', status, ' in ', time_zone) else 'ended' end,
                   ', ' order by id)
          from visit where user_id = $1),
         ': ',
         (select string_agg(case when is_silence then 'silence' else status end,
                   ', ' order by started_at)
          from focus_interval where user_id = $1),
         case when $2 and exists (select from user_title where user_id = $1) then '; titled' end
       ) as text`,
      [this.#options.userId, this.#options.settlement === 'title'],
    );
    return row?.text ?? '';
  }
}
