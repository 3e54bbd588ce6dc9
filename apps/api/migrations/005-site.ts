import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // One row, made here and never changed: it tells this site from others on a shared Redis.
  await sql`
    create table site (
      id uuid not null default gen_random_uuid(),
      is_only boolean primary key default true check (is_only)
    )`.execute(db);
  await sql`insert into site default values`.execute(db);
}
