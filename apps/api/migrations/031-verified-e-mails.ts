import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // The e-mail of which is known that the learner reads it: a provider has verified it, or a mailed link
  // was used. Any other may be a stranger's, with which somebody has made the account.
  await sql`alter table users add column verified_email text`.execute(db);
  await sql`update users set verified_email = email where social_provider <> 'LOCAL'`.execute(db);
}
