import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // When the account is deleted; null for one that stays. '-infinity' once that has begun: it goes on
  // until nothing is left, and cannot be cancelled any more.
  await sql`alter table users add column deletes_at timestamptz`.execute(db);
  await sql`create index users_leaving on users (deletes_at) where deletes_at is not null`.execute(
    db,
  );
  // A log-in outlives its account until its last access token has expired, so that every process knows
  // that it has ended; user_id is null then.
  await sql`
    alter table login_session
      alter column user_id drop not null,
      drop constraint login_session_user_id_fkey,
      add constraint login_session_user_id_fkey
        foreign key (user_id) references users (id) on delete set null`.execute(db);
}
