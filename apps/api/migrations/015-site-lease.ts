import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // One row, made here: the process that runs the jobs of the whole site, and until when.
  await sql`
    create table site_lease (
      is_only boolean primary key default true check (is_only),
      holder uuid,
      expires_at timestamptz not null default '-infinity'
    )`.execute(db);
  await sql`insert into site_lease default values`.execute(db);
}
