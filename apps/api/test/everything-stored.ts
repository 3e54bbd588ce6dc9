import { sql } from 'kysely';
import type { Database } from '../src/platform/database/index.ts';

/** Every row of every table, by the name of its table, but for signs of life. */
export async function everythingStored(
  database: Database,
): Promise<Readonly<Record<string, unknown>>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'
    order by table_name`.execute(database);
  const stored: Record<string, unknown> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ row: unknown }>`
      select to_jsonb(t) - 'last_seen_at' as row from ${sql.table(name)} t
      order by to_jsonb(t)::text`.execute(database);
    stored[name] = rows.map(({ row }) => row);
  }
  return stored;
}
