import { sql } from 'kysely';
import { type Database, retryConflict } from '../src/platform/database/index.ts';

const TRIES = 5;

/** Background work of a test may still be reading in another order: a deadlock is retried. */
export async function emptyTables(database: Database, tables: readonly string[]): Promise<void> {
  const names = sql.join(tables.map((table) => sql.table(table)));
  await retryConflict(
    () => sql`truncate ${names} restart identity cascade`.execute(database),
    TRIES,
  );
}
