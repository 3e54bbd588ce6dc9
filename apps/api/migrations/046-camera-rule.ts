import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Whether the learner's page says that its camera sends a black picture.
  await sql`alter table seat add column picture_is_black boolean not null default false`.execute(
    db,
  );
  // In the status "away": whether the camera rule of the room set it; then it ends with the camera.
  await sql`alter table visit add column away_by_camera boolean not null default false`.execute(db);
}
