-- Two rows of two friends, one for each: the friends of a learner are one range of the key.
create table friendship (
  user_id bigint not null references users (id) on delete cascade,
  friend_id bigint not null references users (id) on delete cascade,
  since timestamptz not null,
  primary key (user_id, friend_id),
  check (user_id <> friend_id)
);
-- The deletion of accounts.
create index friendship_friend on friendship (friend_id);

-- One learner asks another to be friends, until it is accepted or lapses.
create table friend_request (
  asker_id bigint not null references users (id) on delete cascade,
  asked_id bigint not null references users (id) on delete cascade,
  asked_at timestamptz not null,
  -- When the other said no, which nobody is told. Such a row, and one that was taken back, stays until it
  -- lapses: asking again does not reach the learner who declined, and the row that stays does not say that
  -- they did.
  declined_at timestamptz,
  is_withdrawn boolean not null default false,
  primary key (asker_id, asked_id),
  check (asker_id <> asked_id)
);
-- The requests that a learner has received.
create index friend_request_asked on friend_request (asked_id);
-- The deletion of lapsed requests.
create index friend_request_age on friend_request (asked_at);

-- A learner's own link.
create table friend_link (
  user_id bigint primary key references users (id) on delete cascade,
  -- Its owner reads it again and again, so it is not hashed.
  secret text not null unique,
  made_at timestamptz not null
);

-- For profiles: the requests that wait for an answer, lapsed ones too.
create view open_friend_request as
  select asker_id, asked_id, asked_at from friend_request
  where declined_at is null and not is_withdrawn;
-- For blocks: two learners who are friends, or one of whom has asked the other; a row for each direction.
create view acquaintance as
  select user_id, friend_id as other_id from friendship
  union all select asker_id, asked_id from friend_request
  union all select asked_id, asker_id from friend_request;
