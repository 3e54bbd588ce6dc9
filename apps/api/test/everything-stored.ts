import { sql } from 'kysely';
import type { Database } from '../src/platform/database/index.ts';

/** Every row of every table, by table name, except signs of life. */
export async function everythingStored(
  database: Database,
): Promise<Readonly<Record<string, unknown>>> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(database);
  // One statement for all tables: the tests over all routes call this hundreds of times.
  const rowsOfEach = tables.map(
    ({ name }) => sql`
      select ${sql.lit(name)} as name, coalesce(
        jsonb_agg(to_jsonb(t) - 'last_seen_at' order by to_jsonb(t)::text), '[]') as stored
      from ${sql.table(name)} t`,
  );
  const { rows } = await database.transaction().execute(async (transaction) => {
    // To start processes for a parallel plan takes longer than all of these small tables.
    await sql`set local max_parallel_workers_per_gather = 0`.execute(transaction);
    return sql<{ name: string; stored: unknown }>`
      ${sql.join(rowsOfEach, sql` union all `)}`.execute(transaction);
  });
  return Object.fromEntries(rows.map(({ name, stored }) => [name, stored]));
}
