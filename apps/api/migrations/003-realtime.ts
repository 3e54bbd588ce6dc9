import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // An epoch is one gathering: it ends when the last learner leaves. The roster number counts every
  // change of who sits here and how, so that a change missed is a change noticed.
  await sql`
    alter table study_room
      add column epoch integer not null default 1,
      add column roster_number bigint not null default 0`.execute(db);
  await sql`
    alter table seat
      add column is_connected boolean not null default true`.execute(db);

  await sql`
    create table block (
      blocker_id bigint not null references users (id) on delete cascade,
      blocked_id bigint not null references users (id) on delete cascade,
      created_at timestamptz not null,
      primary key (blocker_id, blocked_id),
      check (blocker_id <> blocked_id)
    )`.execute(db);
  await sql`create index block_blocked on block (blocked_id)`.execute(db);

  await sql`
    create table chat_counter (
      room_id bigint not null references study_room (id),
      epoch integer not null,
      last_number bigint not null,
      primary key (room_id, epoch)
    ) with (fillfactor = 70)`.execute(db);
  await sql`
    create table chat_message (
      room_id bigint not null,
      epoch integer not null,
      number bigint not null,
      sender_id bigint not null,
      client_id text not null,
      content text not null,
      nickname text not null,
      profile_image text not null,
      sent_at timestamptz not null,
      primary key (room_id, epoch, number)
    )`.execute(db);
  await sql`create unique index chat_message_client on chat_message (sender_id, client_id)`.execute(
    db,
  );
  await sql`create index chat_message_sent on chat_message using brin (sent_at)`.execute(db);
}
