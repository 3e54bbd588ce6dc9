import { createReport, type ReportReason, type RoomId } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Learner, TestApp } from './test-app.ts';

/** A new learner with a role. */
export async function newModerator(
  app: TestApp,
  role: 'moderator' | 'admin' = 'moderator',
): Promise<Learner> {
  const moderator = await app.newLearner();
  await app.grant(moderator, role);
  return moderator;
}

interface TestReport {
  readonly reporter: Learner;
  readonly reported: Learner;
  readonly roomId: RoomId;
  readonly reason: ReportReason;
}

/** Reports somebody in the same room. */
export function report(app: TestApp, { reporter, reported, roomId, reason }: TestReport) {
  return app.inject({
    method: createReport.method,
    url: createReport.path,
    headers: reporter.headers,
    payload: { roomId, reportedId: reported.userId, reason, description: `${reason} in words` },
  });
}

export interface CaseOptions {
  readonly reporters?: number;
  /** The weight of each report. */
  readonly weight?: number;
  readonly reason?: ReportReason;
}

/** A person with `reports` reports, in a separate room. */
export async function newCase(
  app: TestApp,
  { reporters = 1, weight = 1, reason = 'ABUSE' }: CaseOptions = {},
) {
  const roomId = await app.openRoom();
  const reported = await app.newLearner();
  await app.seat(reported, roomId);
  const people: Learner[] = [];
  for (let count = 0; count < reporters; count += 1) {
    const reporter = await app.newLearner();
    await app.seat(reporter, roomId);
    await report(app, { reporter, reported, roomId, reason });
    people.push(reporter);
  }
  const { rows } = await sql<{ id: number }>`
    select id from report_case where reported_id = ${reported.userId}`.execute(app.database);
  const caseId = rows[0]?.id as number;
  await sql`update report set weight = ${weight} where case_id = ${caseId}`.execute(app.database);
  return { caseId, reported, reporters: people, roomId };
}
