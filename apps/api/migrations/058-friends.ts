import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Two rows of two friends, one for each: the friends of a learner are one range of the key.
  await sql`
    create table friendship (
      user_id bigint not null references users (id) on delete cascade,
      friend_id bigint not null references users (id) on delete cascade,
      since timestamptz not null,
      primary key (user_id, friend_id),
      check (user_id <> friend_id)
    )`.execute(db);
  await sql`create index friendship_friend on friendship (friend_id)`.execute(db);

  // Who asks whom to be friends, until it is accepted or lapses.
  await sql`
    create table friend_request (
      asker_id bigint not null references users (id) on delete cascade,
      asked_id bigint not null references users (id) on delete cascade,
      asked_at timestamptz not null,
      -- When the other said no, which is told nobody. Such a row, and one that was taken back, stays until
      -- it lapses: asking again does not reach who has declined, and what is kept does not say that they did.
      declined_at timestamptz,
      is_withdrawn boolean not null default false,
      primary key (asker_id, asked_id),
      check (asker_id <> asked_id)
    )`.execute(db);
  await sql`create index friend_request_asked on friend_request (asked_id)`.execute(db);
  await sql`create index friend_request_age on friend_request (asked_at)`.execute(db);

  // The secret of a learner's own link. Its owner reads it again and again, so it is not hashed.
  await sql`
    create table friend_link (
      user_id bigint primary key references users (id) on delete cascade,
      secret text not null unique,
      made_at timestamptz not null
    )`.execute(db);
}
