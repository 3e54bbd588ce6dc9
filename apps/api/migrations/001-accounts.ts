import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table users (
      id bigint generated always as identity primary key,
      email text not null,
      nickname text not null,
      password_hash text not null,
      introduction text not null,
      profile_image text not null,
      social_provider text not null,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create unique index users_email_key on users (lower(email))`.execute(db);
  await sql`create unique index users_nickname_key on users (lower(nickname))`.execute(db);

  await sql`
    create table consent (
      user_id bigint not null references users (id) on delete cascade,
      name text not null,
      version text not null,
      accepted_at timestamptz not null,
      primary key (user_id, name, version)
    )`.execute(db);

  await sql`
    create table login_session (
      id uuid primary key,
      user_id bigint not null references users (id) on delete cascade,
      user_agent text not null,
      created_at timestamptz not null,
      ended_at timestamptz
    )`.execute(db);
  await sql`create index login_session_user on login_session (user_id)`.execute(db);
  await sql`create index login_session_ended on login_session (ended_at) where ended_at is not null`.execute(
    db,
  );

  // One row for each refresh token ever issued in a session: using one twice must be noticed.
  await sql`
    create table refresh_token (
      hash bytea primary key,
      session_id uuid not null references login_session (id) on delete cascade,
      replaces bytea,
      issued_at timestamptz not null,
      expires_at timestamptz not null,
      used_at timestamptz,
      revoked_at timestamptz
    )`.execute(db);
  await sql`create index refresh_token_session on refresh_token (session_id)`.execute(db);
  await sql`create index refresh_token_expiry on refresh_token (expires_at)`.execute(db);
}
