import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Differs in every visit: a media token names it, so one of an earlier visit opens nothing.
  await sql`
    alter table seat
      add column id bigint generated always as identity`.execute(db);
}
