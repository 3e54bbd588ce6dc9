import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // A title is won once: the primary key says so, whoever awards it. `figure` is the number that it
  // was won with, in the unit of the title.
  await sql`
    create table user_title (
      user_id bigint not null references users (id) on delete cascade,
      title_id integer not null,
      acquired_at timestamptz not null,
      figure bigint not null,
      primary key (user_id, title_id)
    )`.execute(db);

  // The dawns, nights and days of a weekend that count, each once, with the focus that was enough.
  await sql`
    create table title_occasion (
      user_id bigint not null references users (id) on delete cascade,
      figure text not null,
      day date not null,
      focus_ms bigint not null,
      primary key (user_id, figure, day)
    )`.execute(db);

  // Up to where a learner's closed intervals have been looked at, and the best day among them.
  await sql`
    create table title_progress (
      user_id bigint primary key references users (id) on delete cascade,
      checked_until timestamptz not null,
      best_day_ms bigint not null
    ) with (fillfactor = 80)`.execute(db);

  // What a learner wears is theirs.
  await sql`
    alter table users
      add column title_id integer,
      add constraint users_title_won
        foreign key (id, title_id) references user_title (user_id, title_id)`.execute(db);
}
