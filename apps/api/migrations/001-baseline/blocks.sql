create table block (
  blocker_id bigint not null references users (id) on delete cascade,
  blocked_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null,
  -- Whether the blocker had met the other: only then they are shown name and picture.
  has_met boolean not null default false,
  primary key (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);
-- A block holds both ways: it is also looked for by the one who is blocked.
create index block_blocked on block (blocked_id);
