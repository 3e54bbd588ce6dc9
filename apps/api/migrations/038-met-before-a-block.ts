import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Whether the blocker had met whom they block: only then they are shown name and picture. Those who
  // were blocked until now were blocked by their names.
  await sql`alter table block add column has_met boolean not null default true`.execute(db);
  await sql`alter table block alter column has_met set default false`.execute(db);
}
