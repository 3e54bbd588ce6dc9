import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // The pictures on the whiteboards that are kept with reports: they stay as long as those.
  await sql`
    create table report_board_image (
      report_id bigint not null references report_board (report_id) on delete cascade,
      picture_id text not null references board_picture (id),
      primary key (report_id, picture_id)
    )`.execute(db);
  await sql`create index report_board_image_picture on report_board_image (picture_id)`.execute(db);
}
