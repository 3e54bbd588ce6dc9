import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // The visit that started the schedule: while it lasts, only its learner and the host may end it for all.
  await sql`
    alter table room_pomodoro
    add column started_in bigint references visit (id) on delete set null`.execute(db);
  await sql`
    create index room_pomodoro_started_in on room_pomodoro (started_in)
    where started_in is not null`.execute(db);
}
