import {
  answerAppeal,
  type CaseSummary,
  claimCase,
  createReport,
  type Decision,
  decideCase,
  getAppeals,
  getCases,
  liftSanction,
  type RouteReply,
} from '@mogakgong/contract';
import pg from 'pg';
import { databaseUrl, type RunningStack } from '../../test/running-stack.ts';
import { type Account, callAs, createAccount } from './journey.ts';

/** Somebody who may decide cases. */
export async function createModerator(stack: RunningStack): Promise<Account> {
  const moderator = await createAccount();
  const client = new pg.Client({ connectionString: await databaseUrl(stack) });
  await client.connect();
  await client.query(`update users set role = 'moderator' where id = $1`, [moderator.userId]);
  await client.end();
  return moderator;
}

/** What the offender reads. */
export const REASON = '다른 사람을 불쾌하게 하는 화면이었어요.';

/** Claims the case of a reported learner and decides it; the reports in it. */
export async function decideCaseOf(
  offender: Account,
  moderator: Account,
  decision: Decision,
  days?: number,
): Promise<RouteReply<typeof claimCase>['reports']> {
  const { cases } = await callAs(moderator, getCases, { query: { filter: 'open' } });
  const isTheirs = (each: CaseSummary) => each.reported.userId === offender.userId;
  const caseId = cases.find(isTheirs)?.caseId ?? 0;
  const claimed = await callAs(moderator, claimCase, { params: { caseId } });
  const { reports, lastReportAtMs: readUntilMs } = claimed;
  const body = { decision, reason: REASON, readUntilMs, ...(days !== undefined && { days }) };
  await callAs(moderator, decideCase, { params: { caseId }, body });
  return reports;
}

interface People {
  readonly reporter: Account;
  readonly offender: Account;
  readonly moderator: Account;
  readonly roomId: number;
}

/** Reports a learner without a browser, and decides the case. */
export async function reportAndDecide(
  { reporter, offender, moderator, roomId }: People,
  decision: Decision,
  days?: number,
): Promise<void> {
  const reported = { roomId, reportedId: offender.userId, reason: 'ABUSE' };
  await callAs(reporter, createReport, { body: reported });
  await decideCaseOf(offender, moderator, decision, days);
}

/** Lifts the sanction that a learner appeals against, with an answer. */
export async function grantAppeal(moderator: Account, of: Account, answer: string): Promise<void> {
  const { appeals } = await callAs(moderator, getAppeals);
  const sanctionId = appeals.find(({ person }) => person.userId === of.userId)?.sanctionId ?? 0;
  await callAs(moderator, answerAppeal, {
    params: { sanctionId },
    body: { outcome: 'lifted', answer },
  });
}

/** Lifts a sanction. */
export async function lift(moderator: Account, sanctionId: number): Promise<void> {
  await callAs(moderator, liftSanction, { params: { sanctionId } });
}
