import type { UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import type { SanctionsService } from '../sanctions/index.ts';
import { TRUSTED_WEIGHT } from './report-weight.ts';
import type { NewReport } from './reports.repository.ts';

/** So many trusted people turn a camera off until a moderator decides (issue 12). */
const REPORTERS = 3;

type Sanctions = Pick<SanctionsService, 'imposeByRule' | 'listOf' | 'lift'>;

/**
 * What the product does by itself about a report, in the transaction that stores it and holds its case:
 * with the third trusted reporter of an obscene picture in one room it turns the camera of the reported
 * person off. Further ones change nothing, also after a moderator has lifted it.
 * @returns whether the owner of the transaction announces a sanction after the commit.
 */
export async function giveFirstAid(
  transaction: Database,
  sanctions: Sanctions,
  { reason, weight, roomId, reportedId: userId }: NewReport,
  caseId: number,
): Promise<boolean> {
  if (reason !== 'OBSCENE_CONTENT' || weight < TRUSTED_WEIGHT) return false;
  const { rows } = await sql<{ reporters: number }>`
    select count(distinct reporter_id) as reporters from report
    where case_id = ${caseId} and room_id = ${roomId} and reason = ${reason}
      and weight >= ${TRUSTED_WEIGHT}`.execute(transaction);
  if (rows[0]?.reporters !== REPORTERS) return false;
  const order = { userId, roomId, caseId };
  return (await sanctions.imposeByRule('obsceneReports', order, transaction)) !== null;
}

/**
 * Ends what `giveFirstAid` did in a case: a person has decided, and what they decided holds instead.
 * @param transaction of the decision; its owner announces the change after the commit.
 */
export async function endFirstAid(
  transaction: Database,
  sanctions: Sanctions,
  { caseId, reportedId, by }: { caseId: number; reportedId: UserId; by: UserId },
): Promise<void> {
  for (const sanction of await sanctions.listOf(reportedId)) {
    const isOfCase = sanction.rule === 'obsceneReports' && sanction.case_id === caseId;
    if (!isOfCase || sanction.lifted_at !== null) continue;
    await sanctions.lift({ sanctionId: sanction.id, by }, transaction);
  }
}
