import type { UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { costOf, fillHistory } from '../../../test/focus-history.ts';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { learnerFigures, nextLook } from './title-figures.ts';
import { createTitlesRepository } from './titles.repository.ts';

const MINUTE_MS = 60_000;
/** Pages of one look at a learner who focuses, whatever everybody has studied before. */
const BUFFERS_MAX = 60;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/**
 * The pages that a look touches by the plan that PostgreSQL keeps for a prepared statement: it is
 * made for any learner, without knowing how few intervals are new.
 */
async function buffersOfLook(userId: UserId, now: Date): Promise<number> {
  const look = sql`
    with ${learnerFigures([userId], now)}, ${nextLook()}
    select * from figure left join next_look on next_look.user_id = figure.user_id`;
  return (await costOf(app.database, look, 'generic')).buffers;
}

it.each([10_000, 100_000])(
  'a look reads few pages with %i intervals in the database',
  async (intervals) => {
    const userId = await fillHistory(app.database, intervals);
    const now = new Date(Date.now() + 40 * MINUTE_MS);
    await sql`
      insert into seat (user_id, room_id, entered_at, last_seen_at)
      select id, 1, now(), ${now} from users`.execute(app.database);
    // The history itself is looked at first, in steps.
    const repository = createTitlesRepository(app.database);
    for (let look = 0; look < 3; look += 1) await repository.award([userId], now);
    const [{ figures } = { figures: undefined }] = await repository.award([userId], now);
    expect(figures?.focusSeconds).toBeGreaterThan((intervals / 1_000) * 600);
    expect(await buffersOfLook(userId, now)).toBeLessThanOrEqual(BUFFERS_MAX);
  },
  30_000,
);
