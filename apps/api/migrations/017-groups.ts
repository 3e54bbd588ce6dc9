import { type Kysely, sql } from 'kysely';

/** A group knows the authors of its texts, and a leader the one who made them lead (decision 147). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const text of ['name', 'goal', 'notice']) {
    const author = sql.ref(`${text}_by`);
    const reference = sql.ref(`study_group_${text}_by`);
    await sql`
      -- The learner who wrote the text last; null once their account is deleted, and from before this column.
      alter table study_group add column ${author} bigint,
        add constraint ${reference} foreign key (${author}) references users (id) on delete set null`.execute(
      db,
    );
    await sql`create index ${reference} on study_group (${author})`.execute(db);
  }
  await sql`
    -- The member who made this one a leader, and leads again if this one, as the last leader, steps down.
    alter table group_member add column led_from bigint,
      add constraint group_member_led_from foreign key (group_id, led_from)
        references group_member (group_id, user_id) on delete set null (led_from)`.execute(db);
}
