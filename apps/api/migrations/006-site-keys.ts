import { type Kysely, sql } from 'kysely';

/** Sealed and hashed values have keys of their own, so that AUTH_SECRET can change. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table site_key (
      -- The rows that are sealed or hashed under it, as in platform/sealed-values.
      purpose text not null,
      -- New rows get the key with the highest number.
      number integer not null,
      -- Encrypted with a key made from one secret of AUTH_SECRET.
      sealed_key bytea not null,
      created_at timestamptz not null default now(),
      primary key (purpose, number)
    )`.execute(db);
}
