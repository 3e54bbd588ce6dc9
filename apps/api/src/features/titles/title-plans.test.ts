import type { UserId } from '@mogakgong/contract';
import { MINUTE_MS } from '@mogakgong/contract';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { costOf, fillHistory } from '../../../test/focus-history.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { learnerFigures, nextEvaluation } from './title-figures.ts';
import { createTitlesRepository } from './titles.repository.ts';

/**
 * Pages of one evaluation of a focusing learner, independent of the amount of history: 60 to 63, depending on
 * the hour (one more day around midnight) and the depth of the index (one more level with more intervals).
 */
const BUFFERS_MAX = 70;

const { app } = await openTestSite();

/**
 * The pages that an evaluation touches with the generic plan that PostgreSQL keeps for a prepared statement:
 * it is made without knowing how few intervals are new.
 */
async function buffersOfEvaluation(userId: UserId, now: Date): Promise<number> {
  const evaluation = sql`
    with ${learnerFigures([userId], now)}, ${nextEvaluation()}
    select * from figure left join next_evaluation on next_evaluation.user_id = figure.user_id`;
  return (await costOf(app.database, evaluation, 'generic')).buffers;
}

it.each([10_000, 100_000])(
  'an evaluation reads few pages with %i intervals in the database',
  async (intervals) => {
    const userId = await fillHistory(app.database, intervals);
    const now = new Date(Date.now() + 40 * MINUTE_MS);
    await sql`
      insert into seat (user_id, room_id, entered_at, last_seen_at)
      select id, 1, now(), ${now} from users`.execute(app.database);
    // The history itself is evaluated first, in steps.
    const repository = createTitlesRepository(app.database);
    for (let step = 0; step < 3; step += 1) await repository.award([userId], now);
    const [{ figures } = { figures: undefined }] = await repository.award([userId], now);
    expect(figures?.focusSeconds).toBeGreaterThan((intervals / 1_000) * 600);
    expect(await buffersOfEvaluation(userId, now)).toBeLessThanOrEqual(BUFFERS_MAX);
  },
  30_000,
);
