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
  type RouteDefinition,
  type RouteReply,
} from '@mogakgong/contract';
import pg from 'pg';
import { databaseUrl, type RunningStack } from '../../test/running-stack.ts';
import { type Account, createAccount, stackUrl } from './journey.ts';

interface Call {
  readonly params?: Readonly<Record<string, number>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** Calls a route of the API as somebody. @throws what it answers instead. */
async function call<R extends RouteDefinition>(
  { token }: Account,
  { method, path }: R,
  { params = {}, query = {}, body }: Call = {},
): Promise<RouteReply<R>> {
  const filled = path.replace(/:(\w+)/gu, (_, name: string) => String(params[name]));
  const answer = await fetch(`${stackUrl()}${filled}?${new URLSearchParams(query)}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${filled} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as RouteReply<R>;
}

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
  const { cases } = await call(moderator, getCases, { query: { filter: 'open' } });
  const isTheirs = (each: CaseSummary) => each.reported.userId === offender.userId;
  const caseId = cases.find(isTheirs)?.caseId ?? 0;
  const { reports } = await call(moderator, claimCase, { params: { caseId } });
  const body = { decision, reason: REASON, ...(days !== undefined && { days }) };
  await call(moderator, decideCase, { params: { caseId }, body });
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
  await call(reporter, createReport, { body: reported });
  await decideCaseOf(offender, moderator, decision, days);
}

/** Lifts the sanction that a learner appeals against, with an answer. */
export async function grantAppeal(moderator: Account, of: Account, answer: string): Promise<void> {
  const { appeals } = await call(moderator, getAppeals);
  const sanctionId = appeals.find(({ person }) => person.userId === of.userId)?.sanctionId ?? 0;
  await call(moderator, answerAppeal, {
    params: { sanctionId },
    body: { outcome: 'lifted', answer },
  });
}

/** Lifts a sanction. */
export async function lift(moderator: Account, sanctionId: number): Promise<void> {
  await call(moderator, liftSanction, { params: { sanctionId } });
}
