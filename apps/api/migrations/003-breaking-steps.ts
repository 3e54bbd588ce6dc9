import { type Kysely, sql } from 'kysely';

/** A release can run on the schema of a later one, unless a step says otherwise. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Steps after which releases that do not have them cannot run: they changed or removed what these use.
    create table breaking_step (
      name text primary key
    )`.execute(db);
}
