-- The learners who are shown in "Today together": a row while they choose to be.
create table leaderboard_member (
  user_id bigint primary key references users (id) on delete cascade,
  joined_at timestamptz not null
);
