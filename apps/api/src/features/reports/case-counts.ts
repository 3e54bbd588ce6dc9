import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';

interface CaseCounts {
  readonly open: number;
  /** Age of the oldest one; 0 without any. */
  readonly oldestSeconds: number;
}

/** The cases without a decision, for operators. */
export async function countOpenCases(database: Database, now: Date): Promise<CaseCounts> {
  const { rows } = await sql<CaseCounts>`
    select count(*) as open,
           coalesce(extract(epoch from ${now} - min(opened_at)), 0)::float8 as "oldestSeconds"
    from report_case where status <> 'decided'`.execute(database);
  return rows[0] ?? { open: 0, oldestSeconds: 0 };
}
