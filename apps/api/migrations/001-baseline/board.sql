-- Differs between all boards and all their replacements: a browser that comes from another board, or from
-- before a replacement, is recognised by this number alone.
create sequence board_generation;

create table board (
  room_id bigint not null references study_room (id),
  -- The gathering whose board it is; 0 in a hosted room, which keeps one board until it closes.
  epoch integer not null,
  generation bigint not null unique default nextval('board_generation'),
  -- Counts every change that is delivered.
  number bigint not null default 0,
  -- The highest number of a deleted element whose row is gone: a browser that knows the board up to an
  -- earlier number cannot learn of that deletion, and reads the whole board.
  purged_number bigint not null default 0,
  -- Upper bounds of how many elements there are that are not deleted, and of the bytes of their JSON.
  elements integer not null default 0,
  bytes bigint not null default 0,
  changed_at timestamptz not null,
  primary key (room_id, epoch)
) with (fillfactor = 70);

-- No index has a column that each change of an element changes, and pages have room for the next state: so
-- a change writes its row alone (heap-only update).
create table board_element (
  room_id bigint not null,
  epoch integer not null,
  -- Drawn at random by the browser that made the element.
  id text not null,
  -- They decide which of two states of the element holds: contract, supersedes.
  version bigint not null,
  version_nonce bigint not null,
  -- The number of the board at the last change of the element.
  number bigint not null,
  -- A deleted element stays for an hour, so that a browser that has missed its deletion learns of it.
  is_deleted boolean not null,
  -- The learner who made it, also after others have changed it.
  author_id bigint not null,
  -- As it is delivered.
  json text not null,
  bytes integer not null,
  changed_at timestamptz not null,
  primary key (room_id, epoch, id),
  foreign key (room_id, epoch) references board (room_id, epoch) on delete cascade
) with (fillfactor = 70);
-- The elements of one learner.
create index board_element_author on board_element (author_id, room_id, epoch, id);
-- The sweep of deleted elements.
create index board_element_deleted on board_element (room_id, epoch) where is_deleted;

-- What was on a board when it was last cleared, for a day, until it is brought back.
create table cleared_board (
  room_id bigint not null,
  epoch integer not null,
  cleared_at timestamptz not null,
  -- The elements that were not deleted, as a list.
  elements json not null,
  -- Their authors, to find those of an account that is deleted, and the pictures that they name.
  author_ids bigint[] not null,
  image_ids text[] not null,
  primary key (room_id, epoch),
  foreign key (room_id, epoch) references board (room_id, epoch) on delete cascade
);
-- The deletion of those that are too old.
create index cleared_board_at on cleared_board (cleared_at);
-- Those with something that a learner drew.
create index cleared_board_authors on cleared_board using gin (author_ids);

-- Pictures on boards; deleted when no board, no cleared board and no report names them.
create table board_picture (
  -- SHA-256 of the bytes.
  id text primary key,
  -- WebP.
  image bytea not null,
  added_at timestamptz not null
);
-- The pictures of one board, and of what was cleared from it.
create table board_image (
  room_id bigint not null,
  epoch integer not null,
  picture_id text not null references board_picture (id),
  -- When it was added, or was found in use last.
  used_at timestamptz not null,
  primary key (room_id, epoch, picture_id),
  foreign key (room_id, epoch) references board (room_id, epoch) on delete cascade
);
-- The boards that have one picture.
create index board_image_picture on board_image (picture_id);
