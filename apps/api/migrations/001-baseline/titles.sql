-- The titles that a learner has won, each once.
create table user_title (
  user_id bigint not null references users (id) on delete cascade,
  -- The number of the title in the catalogue of the contract.
  title_id integer not null,
  acquired_at timestamptz not null,
  -- The number that it was won with, in the unit of the title.
  figure bigint not null,
  primary key (user_id, title_id)
);
-- A learner wears only a title that is theirs.
alter table users
  add constraint users_title_won foreign key (id, title_id) references user_title (user_id, title_id);

-- The dawns, nights and days of a weekend that count, each once, with the focus that was enough.
create table title_occasion (
  user_id bigint not null references users (id) on delete cascade,
  figure text not null,
  day date not null,
  focus_ms bigint not null,
  primary key (user_id, figure, day)
);

-- How far a learner's closed intervals have been evaluated, and the best day among them.
create table title_progress (
  user_id bigint primary key references users (id) on delete cascade,
  checked_until timestamptz not null,
  best_day_ms bigint not null
) with (fillfactor = 80);

-- For profiles: the learners who have won a title, once for each title.
create view title_winner as
  select user_id from user_title;
