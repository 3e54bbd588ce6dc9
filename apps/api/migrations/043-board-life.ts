import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Earlier states of a board, for a day.
  await sql`
    create table board_version (
      id bigint generated always as identity primary key,
      room_id bigint not null,
      epoch integer not null,
      -- The board's number then: the same state is kept once.
      number bigint not null,
      taken_at timestamptz not null,
      -- The elements that were not deleted, as a list; how many, and their size.
      elements json not null,
      element_count integer not null,
      bytes integer not null,
      -- Who made them, to find those of an account that is deleted, and the pictures that they name.
      author_ids bigint[] not null,
      image_ids text[] not null,
      foreign key (room_id, epoch) references board (room_id, epoch) on delete cascade,
      unique (room_id, epoch, number)
    )`.execute(db);
  await sql`create index board_version_taken on board_version (taken_at)`.execute(db);
  await sql`create index board_version_authors on board_version using gin (author_ids)`.execute(db);

  // The vote that is open on a board; deleted when it has ended.
  await sql`
    create table board_vote (
      room_id bigint not null,
      epoch integer not null,
      id uuid not null,
      -- Null: the board is to be emptied.
      version_id bigint references board_version (id),
      opened_by bigint not null,
      ends_at timestamptz not null,
      -- Who agrees and who refuses, of those who sit there, and how many must agree.
      agreed bigint[] not null,
      refused bigint[] not null,
      needed integer not null,
      primary key (room_id, epoch),
      foreign key (room_id, epoch) references board (room_id, epoch) on delete cascade
    )`.execute(db);
  await sql`create index board_vote_version on board_vote (version_id)`.execute(db);

  // Pictures by the SHA-256 of their bytes; deleted when no board and no copy names them.
  await sql`
    create table board_picture (
      id text primary key,
      -- WebP.
      image bytea not null,
      added_at timestamptz not null
    )`.execute(db);
  await sql`
    create table board_image (
      room_id bigint not null,
      epoch integer not null,
      picture_id text not null references board_picture (id),
      -- When it was added, or was found in use last.
      used_at timestamptz not null,
      primary key (room_id, epoch, picture_id),
      foreign key (room_id, epoch) references board (room_id, epoch) on delete cascade
    )`.execute(db);
  await sql`create index board_image_picture on board_image (picture_id)`.execute(db);

  // Copies of boards that learners keep for themselves. They do not say who drew what.
  await sql`
    create table board_copy (
      id bigint generated always as identity primary key,
      owner_id bigint not null references users (id) on delete cascade,
      -- The name of the room; empty where it had none.
      name text not null,
      copied_at timestamptz not null,
      elements json not null,
      element_count integer not null
    )`.execute(db);
  await sql`create index board_copy_owner on board_copy (owner_id, id)`.execute(db);
  await sql`
    create table board_copy_image (
      copy_id bigint not null references board_copy (id) on delete cascade,
      picture_id text not null references board_picture (id),
      primary key (copy_id, picture_id)
    )`.execute(db);
  await sql`create index board_copy_image_picture on board_copy_image (picture_id)`.execute(db);
}
