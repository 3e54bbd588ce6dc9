import { setTimeout as delay } from 'node:timers/promises';
import type { SiteDatabase } from './site.ts';

const ANSWER_MS = 5_000;
const TRY_AGAIN_MS = 50;
const TRIES = 400;

export interface Caller {
  readonly baseUrl: string;
  readonly token: string;
  /** How long an answer is waited for. */
  readonly answerWithinMs?: number;
}

/** The outcomes of moves that are made while something is killed, none yet. */
export const NO_MOVES = {
  moves: 0,
  acknowledged: 0,
  done: 0,
  notDone: 0,
  lost: 0,
  half: 0,
  holes: 0,
};

/** An answer that does not say that it is done. */
export class RefusedCall extends Error {
  readonly status: number;
  /** What Retry-After asks for; 0 without it. */
  readonly retryAfterMs: number;

  constructor(message: string, { status, headers }: Response) {
    super(message);
    this.status = status;
    this.retryAfterMs = 1_000 * Number(headers.get('retry-after') ?? 0);
  }
}

/** Calls the API as a learner; throws unless it says that it is done. */
export async function callApi<Reply>(
  { baseUrl, token, answerWithinMs = ANSWER_MS }: Caller,
  method: string,
  path: string,
  body?: object,
): Promise<Reply> {
  const answer = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(answerWithinMs),
  });
  const text = await answer.text();
  if (!answer.ok) {
    throw new RefusedCall(`${path} was answered ${answer.status}: ${text}`, answer);
  }
  return JSON.parse(text) as Reply;
}

/** Repeats work until it succeeds, as often as a site needs to come back. */
export async function untilDone(work: () => Promise<unknown>): Promise<void> {
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

/** Lets a learner enter a room as on their first day: nothing is known about them. Returns the room. */
export async function enterAnew(
  caller: Caller,
  database: SiteDatabase,
  userId: number,
): Promise<number> {
  await untilDone(() => callApi(caller, 'POST', `/api/study-rooms/leave?userId=${userId}`));
  await database.query(
    `with visits as (delete from visit where user_id = $1),
          days as (delete from study_day where user_id = $1),
          titles as (delete from user_title where user_id = $1),
          progress as (delete from title_progress where user_id = $1)
     delete from study_record where user_id = $1`,
    [userId],
  );
  let roomId = 0;
  await untilDone(async () => {
    const path = `/api/study-rooms/enter?userId=${userId}`;
    roomId = (await callApi<{ roomId: number }>(caller, 'POST', path)).roomId;
  });
  return roomId;
}

/** Whether a visit of this learner is not covered by its intervals from its first start to its end. */
export async function hasHole(database: SiteDatabase, userId: number): Promise<boolean> {
  const rows = await database.query(
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
    [userId],
  );
  return rows.length > 0;
}
