import { type Kysely, sql } from 'kysely';

/** An author who leaves a group stays the author of its texts (decision 147). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const text of ['name', 'goal', 'notice']) {
    const author = sql.ref(`${text}_by`);
    const reference = sql.ref(`study_group_${text}_by`);
    await sql`
      -- The learner who wrote the text last; null once their account is deleted, and from before 017.
      alter table study_group drop constraint ${reference},
        add constraint ${reference} foreign key (${author}) references users (id) on delete set null`.execute(
      db,
    );
    await sql`create index ${reference} on study_group (${author})`.execute(db);
  }
}
