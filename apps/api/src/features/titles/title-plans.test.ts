import type { UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fillHistory } from '../../../test/focus-history.ts';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { learnerFigures } from './title-figures.ts';
import { createTitlesRepository } from './titles.repository.ts';

const MINUTE_MS = 60_000;
/** Pages of one look at a learner who focuses, whatever everybody has studied before. */
const BUFFERS_MAX = 60;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const literal = (value: unknown): string => {
  if (Array.isArray(value)) return `'{${value.join(',')}}'`;
  return value instanceof Date ? `'${value.toISOString()}'` : `'${value}'`;
};

/**
 * The pages that a look touches by the plan that PostgreSQL keeps for a prepared statement: it is
 * made for any learner, without knowing how few intervals are new.
 */
async function buffersOfLook(userId: UserId, now: Date): Promise<number> {
  const look = sql`with ${learnerFigures([userId], now)} select * from figure`.compile(
    app.database,
  );
  return app.database.connection().execute(async (db) => {
    await sql`set plan_cache_mode = force_generic_plan`.execute(db);
    await sql.raw(`prepare look as ${look.sql}`).execute(db);
    const { rows } = await sql
      .raw<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
        `explain (analyze, buffers, format json) execute look (${look.parameters.map(literal).join(',')})`,
      )
      .execute(db);
    await sql`deallocate look`.execute(db);
    await sql`reset plan_cache_mode`.execute(db);
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan ?? {};
    return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  });
}

it.each([10_000, 300_000])(
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
  120_000,
);
