import {
  CASE_REPORTS_MAX,
  CASES_PAGE,
  type CaseDetail,
  type CaseSummary,
  createReport,
  type RoomId,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newText, openBoard } from '../../../test/drawings.ts';
import { newModerator } from '../../../test/reported-cases.ts';
import { createTestApp, type Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const { app, clients } = await openTestSite({
  emptied: ['report_case', 'board', 'seat', 'study_room'],
});

const report = (
  reporter: Learner,
  reported: Learner,
  { roomId, at = app, ...change }: { roomId: RoomId; at?: typeof app; [field: string]: unknown },
) =>
  at.inject({
    method: createReport.method,
    url: createReport.path,
    headers: reporter.headers,
    payload: { roomId, reportedId: reported.userId, reason: 'OBSCENE_CONTENT', ...change },
  });

async function seated(roomId: RoomId): Promise<Learner> {
  const learner = await app.newLearner();
  await app.seat(learner, roomId);
  return learner;
}

/** An account with weeks of study. */
async function trusted(roomId: RoomId): Promise<Learner> {
  const learner = await seated(roomId);
  const { userId } = learner;
  await sql`update users set created_at = created_at - interval '30 days' where id = ${userId}`.execute(
    app.database,
  );
  await sql`update study_record set focus_ms = 100 * 3600000 where user_id = ${userId}`.execute(
    app.database,
  );
  return learner;
}

/** New accounts that enter a room, fifteen at once, and each report a learner with the board. */
async function flood(roomId: RoomId, reported: Learner, count: number): Promise<void> {
  const join = async () => {
    const learner = await seated(roomId);
    expect((await report(learner, reported, { roomId, withBoard: true })).statusCode).toBe(200);
    await app.leave(learner);
  };
  for (let left = count; left > 0; left -= 15) await Promise.all(Array.from({ length: 15 }, join));
}

const countOf = async (table: 'report_board' | 'sanction') => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)}`.execute(app.database);
  return rows[0]?.count;
};

async function readAs<Reply>({ headers }: Learner, path: string): Promise<Reply> {
  return (await app.inject({ url: `/api/moderation/${path}`, headers })).json<Reply>();
}

describe('sixty new accounts that report one learner', () => {
  it('impose nothing, fill no answer, and keep three boards beside those of the trusted', async () => {
    const roomId = await app.openRoom();
    const reported = await seated(roomId);
    const drawer = await openBoard(reported, await clients.connectAs(app, reported), roomId);
    await drawer.draw(newText('a drawing'));
    await flood(roomId, reported, 60);
    expect([await countOf('sanction'), await countOf('report_board')]).toEqual([0, 3]);

    const witness = await trusted(roomId);
    await report(witness, reported, { roomId, withBoard: true });
    expect([await countOf('sanction'), await countOf('report_board')]).toEqual([0, 4]);
    const moderator = await newModerator(app);
    const { cases } = await readAs<{ cases: CaseSummary[] }>(moderator, 'cases?filter=open');
    expect(cases).toMatchObject([{ reportCount: 61, weight: 1 }]);
    const detail = await readAs<CaseDetail>(moderator, `cases/${cases[0]?.caseId}`);
    expect(detail.reports).toHaveLength(CASE_REPORTS_MAX);
    expect(detail.reports).toContainEqual(expect.objectContaining({ weight: 1, hasBoard: true }));
  });

  it('keep no more boards when they report at the same moment', async () => {
    const roomId = await app.openRoom();
    const reported = await seated(roomId);
    const drawer = await openBoard(reported, await clients.connectAs(app, reported), roomId);
    await drawer.draw(newText('a drawing'));
    const learners: Learner[] = [];
    for (let count = 0; count < 12; count += 1) learners.push(await seated(roomId));
    await Promise.all(
      learners.map((learner) => report(learner, reported, { roomId, withBoard: true })),
    );
    expect(await countOf('report_board')).toBe(3);
  });
});

describe('a new account that reports everybody', () => {
  it('stands behind one trusted report, and waits after five in an hour', async () => {
    const limited = await createTestApp({ env: { RATE_LIMIT_SCALE: '1', TRUST_PROXY: 'true' } });
    try {
      const roomId = await limited.openRoom();
      const newAt = async (host: number) => {
        const learner = await limited.newLearner({ 'x-forwarded-for': `198.51.100.${host}` });
        await limited.seat(learner, roomId);
        return learner;
      };
      const reporter = await newAt(1);
      const statuses: number[] = [];
      for (let host = 2; host < 8; host += 1) {
        const answer = await report(reporter, await newAt(host), { roomId, at: limited });
        statuses.push(answer.statusCode);
      }
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    } finally {
      await limited.close();
    }
  });

  it('comes behind what one trusted learner reports, with however many cases', async () => {
    const roomId = await app.openRoom();
    const witness = await trusted(roomId);
    const offender = await seated(roomId);
    await report(witness, offender, { roomId, reason: 'ABUSE' });
    const reporter = await seated(roomId);
    for (let count = 0; count < CASES_PAGE + 5; count += 1) {
      const innocent = await seated(roomId);
      await report(reporter, innocent, { roomId });
      await app.leave(innocent);
    }
    const { cases } = await readAs<{ cases: CaseSummary[] }>(
      await newModerator(app),
      'cases?filter=open',
    );
    expect(cases).toHaveLength(CASES_PAGE);
    expect(cases[0]?.reported.userId).toBe(offender.userId);
    expect(await countOf('sanction')).toBe(0);
  });
});
