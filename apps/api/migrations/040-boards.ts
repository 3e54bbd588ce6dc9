import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Differs between all boards and all their replacements, so that who comes from another board, or from
  // before a replacement, is recognised by this number alone.
  await sql`create sequence board_generation`.execute(db);
  await sql`
    create table board (
      room_id bigint not null references study_room (id),
      -- The gathering whose board it is; 0 in a hosted room, which keeps one board until it closes.
      epoch integer not null,
      generation bigint not null unique default nextval('board_generation'),
      -- Counts every change that is delivered.
      number bigint not null default 0,
      -- The highest number of a deleted element whose row is gone: who knows the board up to an earlier
      -- number cannot learn of that deletion, and reads the whole board.
      purged_number bigint not null default 0,
      -- Upper bounds of how many elements there are that are not deleted, and of the bytes of their JSON.
      elements integer not null default 0,
      bytes bigint not null default 0,
      changed_at timestamptz not null,
      primary key (room_id, epoch)
    ) with (fillfactor = 70)`.execute(db);
  await sql`
    create table board_element (
      room_id bigint not null,
      epoch integer not null,
      -- Drawn at random by the browser that made the element.
      id text not null,
      -- Which of two states of the element holds: contract, supersedes.
      version bigint not null,
      version_nonce bigint not null,
      -- The number of the board at the last change of the element.
      number bigint not null,
      -- A deleted element stays for an hour, so that who has missed its deletion learns of it.
      is_deleted boolean not null,
      -- Who made it, whoever changed it later.
      author_id bigint not null,
      -- As it is delivered.
      json text not null,
      bytes integer not null,
      changed_at timestamptz not null,
      primary key (room_id, epoch, id),
      foreign key (room_id, epoch) references board (room_id, epoch) on delete cascade
    )`.execute(db);
  await sql`
    create index board_element_author on board_element (author_id, room_id, epoch, id)`.execute(db);
  await sql`
    create index board_element_deleted on board_element (changed_at) where is_deleted`.execute(db);
}
