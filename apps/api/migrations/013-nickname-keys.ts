import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- What the nickname looks like (nickname-key.ts): names that look the same have the same key.
    -- Null for accounts that are older than the column.
    alter table users add column nickname_key text`.execute(db);
  await sql`create unique index users_nickname_look_key on users (nickname_key)`.execute(db);
}
