import { type Kysely, sql } from 'kysely';

/** A process that does not reach Redis says so here to the others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table events_lost (
      is_only boolean primary key default true check (is_only),
      -- Until then events of some process may not reach the others.
      until timestamptz not null default '-infinity'
    )`.execute(db);
  await sql`insert into events_lost default values`.execute(db);
}
