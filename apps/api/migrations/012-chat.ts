import { type Kysely, sql } from 'kysely';

/** Replies, reactions, and the messages that a learner has read on any device. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The number of the message of the same gathering that this one answers; it may be deleted.
    alter table chat_message add column quoted_number bigint`.execute(db);
  await sql`
    -- The last number that was given to a change of a reaction in a gathering.
    alter table chat_counter add column last_reaction bigint not null default 0`.execute(db);
  await sql`
    -- One person's reaction to one message; it ends with the message.
    create table chat_reaction (
      room_id bigint not null,
      epoch integer not null,
      message_number bigint not null,
      user_id bigint not null references users (id) on delete cascade,
      -- One of the set in the contract; null: taken back. The row stays, for those who missed the change.
      reaction text,
      -- The number of its last change.
      number bigint not null,
      primary key (room_id, epoch, message_number, user_id),
      foreign key (room_id, epoch, message_number)
        references chat_message (room_id, epoch, number) on delete cascade
    ) with (fillfactor = 80)`.execute(db);
  await sql`
    -- Changes that a process has missed.
    create unique index chat_reaction_number on chat_reaction (room_id, epoch, number)`.execute(db);
  await sql`
    -- The reactions of one learner.
    create index chat_reaction_user on chat_reaction (user_id)`.execute(db);
  await sql`
    -- chat: the last message of the room that the learner has read.
    alter table seat add column read_number bigint not null default 0`.execute(db);
}
