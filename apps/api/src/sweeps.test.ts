import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openTestSite } from '../test/test-site.ts';
import {
  deleteInSlices,
  forEachDue,
  inHalves,
  SLICE_ROWS,
  sweepInSlices,
} from './platform/database/index.ts';

const { app } = await openTestSite();

/** The media server is not here, and backups are made by processes of their own. */
const elsewhere = ['rooms of the media server', 'backups', 'ledger of backups'];
const jobs = app.siteJobs.filter((name) => !elsewhere.includes(name));

describe('the sweeps of the site', () => {
  it.each(jobs)('"%s" deletes by keys it has found before, or with a limit', async (job) => {
    app.queries.length = 0;
    await app.runJob(job);
    const deleting = app.queries.filter((query) => /\bdelete from\b/u.test(query));
    const unbounded = deleting.filter((query) => !/\blimit \$|= any\(|unnest\(/u.test(query));
    expect([app.queries.length > 0, unbounded]).toEqual([true, []]);
  });

  it('have an index for every key that refers to a row which can be deleted', async () => {
    const { rows } = await sql<{ key: string }>`
      select conrelid::regclass || ' ' || conname as key
      from pg_constraint
      where contype = 'f' and connamespace = 'public'::regnamespace
        -- Rooms are never deleted.
        and confrelid <> 'study_room'::regclass
        and not exists (
          select from pg_index
          where indrelid = conrelid and indkey[0] = any (conkey)
            and (indpred is null or pg_get_expr(indpred, indrelid) like '%IS NOT NULL%')
        )`.execute(app.database);
    expect(rows).toEqual([]);
  });

  it.each([
    ['who has a picture', sql`select from users where profile_image = 'x'`],
    ['a seat by its visit', sql`select from seat where id = 1`],
    ['pictures by their last use', sql`select from image where used_at < '2000-01-01'`],
  ])('find %s by an index', async (_what, query) => {
    const plan = await app.database.transaction().execute(async (transaction) => {
      await sql`set local enable_seqscan = off`.execute(transaction);
      return sql<{ 'QUERY PLAN': string }>`explain ${query}`.execute(transaction);
    });
    expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index (Only )?Scan/u);
  });
});

describe('work in slices', () => {
  it('deletes every row that is due, and none that is not, whatever their number', async () => {
    await sql`
      insert into image (address, used_at)
      select n::text, case when n % 5 = 0 then now() else '-infinity' end
      from generate_series(1, ${SLICE_ROWS * 3}::integer) as n`.execute(app.database);
    app.queries.length = 0;
    await deleteInSlices(app.database, 'image', sql`used_at < now() - interval '1 hour'`);
    expect(app.queries).toHaveLength(3);
    const { rows } = await sql<{ count: number }>`select count(*) as count from image`.execute(
      app.database,
    );
    expect(rows).toEqual([{ count: (SLICE_ROWS * 3) / 5 }]);
  });

  it('does all but what cannot be done, and then says so', async () => {
    const numbers = Array.from({ length: 25 }, (_, index) => index + 1);
    const done: number[] = [];
    const work = async (items: readonly number[]) => {
      if (items.includes(7)) throw new Error('seven');
      done.push(...items);
    };
    const find = async (after: number | null, limit: number) =>
      numbers.filter((number) => number > (after ?? 0)).slice(0, limit);
    await expect(sweepInSlices({ find, work }, 10)).rejects.toThrow('seven');
    const others = numbers.filter((number) => number !== 7);
    expect(done.sort((a, b) => a - b)).toEqual(others);

    done.length = 0;
    await expect(forEachDue(numbers, (number) => work([number]), 4)).rejects.toThrow('seven');
    expect(done.sort((a, b) => a - b)).toEqual(others);
  });

  it('stops at once while the database is not available', async () => {
    const unavailable = Object.assign(new Error('read ECONNRESET'), {
      code: 'ECONNRESET',
      syscall: 'read',
    });
    let tries = 0;
    const work = async () => {
      tries += 1;
      throw unavailable;
    };
    await expect(inHalves([1, 2, 3, 4], work, () => undefined)).rejects.toBe(unavailable);
    await expect(forEachDue([1, 2, 3, 4], work)).rejects.toBe(unavailable);
    expect(tries).toBe(2);
  });
});
