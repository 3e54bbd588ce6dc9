import { type Kysely, sql } from 'kysely';

/**
 * A deleted account takes its seat along (`on delete cascade`): its room counts one learner less, and
 * a change of the roster. First the seat is locked, then the room, as in every other statement.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function free_seat_of_deleted_user() returns trigger language plpgsql as $$
    begin
      with gone as (
        delete from seat where user_id = old.id returning room_id
      )
      update study_room
      set occupancy = occupancy - 1,
          roster_number = roster_number + 1,
          epoch = epoch + (occupancy = 1)::integer
      from gone where study_room.id = gone.room_id;
      return old;
    end $$`.execute(db);
  await sql`
    create trigger free_seat before delete on users
    for each row execute function free_seat_of_deleted_user()`.execute(db);
}
