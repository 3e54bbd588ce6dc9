import { sql } from 'kysely';
import pg from 'pg';
import type { Database } from '../src/platform/database/index.ts';

const TRIES = 5;

/** What a test has set going may still be reading, in another order: a deadlock is no failure. */
export async function emptyTables(database: Database, tables: readonly string[]): Promise<void> {
  const names = sql.join(tables.map((table) => sql.table(table)));
  for (let tries = 1; ; tries += 1) {
    try {
      await sql`truncate ${names} restart identity cascade`.execute(database);
      return;
    } catch (error) {
      if (tries === TRIES || !isDeadlock(error)) throw error;
    }
  }
}

const isDeadlock = (error: unknown) => error instanceof pg.DatabaseError && error.code === '40P01';
