import { sql } from 'kysely';
import type { Database } from '../database/index.ts';

/** The id that distinguishes this site: all of its processes read the same one from the database. */
export async function readSiteId(database: Database): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from site`.execute(database);
  const [site] = rows;
  if (!site) throw new Error('The database has no row in the table "site".');
  return site.id;
}

/** Makes it another site: on a shared Redis nothing of the one before counts any more. */
export async function renewSiteId(database: Database): Promise<void> {
  await sql`update site set id = gen_random_uuid()`.execute(database);
}
