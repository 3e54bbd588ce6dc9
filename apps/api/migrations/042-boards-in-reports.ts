import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // The whiteboard of the room as it was when somebody was reported, if the reporter asked for it.
  await sql`
    create table report_board (
      report_id bigint primary key references report (id) on delete cascade,
      taken_at timestamptz not null,
      -- The elements that were not deleted, each with its author, as boards deliver them.
      elements json not null,
      -- Who made them, with their names of then.
      authors jsonb not null
    )`.execute(db);
  // Finds what evidence has of a learner whose account is deleted.
  await sql`
    create index report_board_authors on report_board using gin (authors jsonb_path_ops)
  `.execute(db);
}
