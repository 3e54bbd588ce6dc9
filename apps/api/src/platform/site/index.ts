import { sql } from 'kysely';
import type { Database } from '../database/index.ts';

/** The id that distinguishes this site: all of its processes read the same one from the database. */
export async function readSiteId(database: Database): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from site`.execute(database);
  const [site] = rows;
  if (!site) throw new Error('The database has no row in the table "site".');
  return site.id;
}

/** Makes a restored database another site: on a shared Redis, and in access tokens, nothing of the one before counts. */
export async function beginRestoredSite(database: Database): Promise<void> {
  await sql`update site set id = gen_random_uuid(), restored_at = clock_timestamp()`.execute(
    database,
  );
}

/** When the database was restored from a backup; 0 for never. */
export async function readRestoredAtMs(database: Database): Promise<number> {
  const { rows } = await sql<{ at: Date | null }>`
    select restored_at as at from site`.execute(database);
  return rows[0]?.at?.getTime() ?? 0;
}
