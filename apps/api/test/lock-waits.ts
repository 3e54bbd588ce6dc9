import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import type { Database } from '../src/platform/database/index.ts';

/** Waits until exactly `count` statements of a database that contain `part` wait for a lock. */
export async function untilLocked(database: Database, count: number, part = ''): Promise<void> {
  await vi.waitFor(async () => {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
        and query like ${`%${part}%`}`.execute(database);
    expect(rows).toHaveLength(count);
  });
}
