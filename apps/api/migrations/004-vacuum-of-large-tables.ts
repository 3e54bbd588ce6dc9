import { type Kysely, sql } from 'kysely';

/**
 * By default PostgreSQL tidies a table when a fifth of it has changed. Of tables that only grow that is ever rarer:
 * deleted messages then keep their space, and plans are made from old numbers of rows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['chat_message', 'focus_interval', 'visit', 'board_element']) {
    await sql`
      alter table ${sql.id(table)} set (
        autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_vacuum_insert_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.02
      )`.execute(db);
  }
}
