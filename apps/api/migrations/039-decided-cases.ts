import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // The newest decided cases, a page at a time, however many there are.
  await sql`
    create index report_case_decided on report_case (decided_at, id) where status = 'decided'
  `.execute(db);
}
