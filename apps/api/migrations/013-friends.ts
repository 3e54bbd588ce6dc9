import { type Kysely, sql } from 'kysely';

/** Friends who agree to it see each other's state, and invite each other into their rooms. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- A learner who shows friends their state, if those show theirs.
    create table friend_sharing (
      user_id bigint primary key references users (id) on delete cascade,
      since timestamptz not null
    )`.execute(db);
  await sql`
    -- The latest invitation of one friend by another into the room in which the first sits.
    create table friend_invitation (
      from_id bigint not null references users (id) on delete cascade,
      to_id bigint not null references users (id) on delete cascade,
      room_id bigint not null references study_room (id),
      sent_at timestamptz not null,
      primary key (from_id, to_id)
    )`.execute(db);
  await sql`
    -- The invitations that a learner has received.
    create index friend_invitation_to on friend_invitation (to_id)`.execute(db);
  await sql`
    -- The deletion of lapsed invitations.
    create index friend_invitation_age on friend_invitation (sent_at)`.execute(db);
}
