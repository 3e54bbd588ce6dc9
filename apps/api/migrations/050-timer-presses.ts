import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Presses of the timer that were made already: a browser that does not know whether one arrived
  // sends it again under the same id. They belong to the seat and are deleted with it.
  await sql`
    create table timer_press (
      user_id bigint not null references users (id) on delete cascade
        references seat (user_id) on delete cascade,
      id uuid not null,
      received_at timestamptz not null,
      primary key (user_id, id)
    )`.execute(db);
}
