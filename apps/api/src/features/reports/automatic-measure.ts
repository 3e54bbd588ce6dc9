import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import type { SanctionsService } from '../sanctions/index.ts';
import { isOfGroup } from './attachments.repository.ts';
import { TRUSTED_WEIGHT } from './report-weight.ts';
import type { NewReport } from './reports.repository.ts';

/** Number of trusted reporters that turn a camera off until a moderator decides (issue 12). */
const REPORTERS = 3;

/**
 * The automatic measure on a report, in the transaction that stores it and locks its case: on the third
 * trusted report of an obscene picture in one room it turns the camera of the reported person off. Further
 * reports change nothing, even after a moderator has lifted it.
 * @returns whether the owner of the transaction must announce a sanction after the commit.
 */
export async function applyAutomaticMeasure(
  transaction: Database,
  sanctions: Pick<SanctionsService, 'imposeByRule'>,
  { reason, weight, roomId, reportedId: userId }: NewReport,
  caseId: number,
): Promise<boolean> {
  if (reason !== 'OBSCENE_CONTENT' || weight < TRUSTED_WEIGHT) return false;
  const { rows } = await sql<{ reporters: number }>`
    select count(distinct reporter_id) as reporters from report
    where case_id = ${caseId} and room_id = ${roomId} and reason = ${reason}
      and weight >= ${TRUSTED_WEIGHT}
      -- A report of a group's text names its room, too, which its reporter need not have seen.
      and not ${isOfGroup}`.execute(transaction);
  if (rows[0]?.reporters !== REPORTERS) return false;
  const order = { userId, roomId, caseId };
  return (await sanctions.imposeByRule('obsceneReports', order, transaction)) !== null;
}
