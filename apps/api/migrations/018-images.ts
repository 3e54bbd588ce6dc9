import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Every stored picture: `address` is what users.profile_image says, used_at when it was uploaded or
  // chosen last. A picture that nobody has is deleted some time after that.
  await sql`
    create table image (
      address text primary key,
      used_at timestamptz not null
    )`.execute(db);
}
