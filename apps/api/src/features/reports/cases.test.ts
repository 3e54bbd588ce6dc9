import {
  CASE_CLAIM_MS,
  type CaseDetail,
  type CaseSummary,
  destinations,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { plain } from '../../../test/pictures.ts';
import {
  type CaseOptions,
  newCase as newCaseOf,
  newModerator as newModeratorOf,
  report,
} from '../../../test/reported-cases.ts';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const { app, clients } = await openTestSite({
  emptied: ['report_case', 'seat', 'study_room', 'chat_message'],
});

/** Case numbers restart in every test; the audit log cannot be emptied. */
let lastEvent = 0;
beforeEach(async () => {
  const { rows } = await sql<{ id: number | null }>`select max(id) as id from audit_event`.execute(
    app.database,
  );
  lastEvent = rows[0]?.id ?? 0;
});

const call = (method: 'GET' | 'POST' | 'DELETE', url: string, { headers }: Learner) =>
  app.inject({ method, url: `/api/moderation/${url}`, headers });
const newModerator = (role?: 'admin') => newModeratorOf(app, role);
const newCase = (options?: CaseOptions) => newCaseOf(app, options);
const claim = (moderator: Learner, caseId: number) =>
  call('POST', `cases/${caseId}/claim`, moderator);
const release = (moderator: Learner, caseId: number) =>
  call('DELETE', `cases/${caseId}/claim`, moderator);
const readEvidence = (moderator: Learner, reportId: number | undefined) =>
  call('GET', `reports/${reportId}/evidence`, moderator);
const read = (moderator: Learner, caseId: number) => call('GET', `cases/${caseId}`, moderator);

async function listed(moderator: Learner, filter = 'open'): Promise<CaseSummary[]> {
  const answer = await call('GET', `cases?filter=${filter}`, moderator);
  return answer.json<{ cases: CaseSummary[] }>().cases;
}

const eventsOf = async (caseId: number) => {
  const { rows } = await sql<{ action: string; actor: number; details: object }>`
    select action, actor_id as actor, details from audit_event where case_id = ${caseId} and id > ${lastEvent}
    order by id`.execute(app.database);
  return rows;
};

describe('the queue', () => {
  it('shows one case a person, with all reports, the most serious first', async () => {
    const moderator = await newModerator();
    const light = await newCase({ weight: 0.2 });
    const many = await newCase({ reporters: 2, weight: 0.9 });
    const obscene = await newCase({ weight: 0.9, reason: 'OBSCENE_CONTENT' });
    app.clock.advance(1_000);
    const newer = await newCase({ weight: 0.2 });
    app.queries.splice(0);
    const cases = await listed(moderator);
    expect(app.queries.filter((text) => text.includes('report_case'))).toHaveLength(1);
    expect(cases.map(({ caseId }) => caseId)).toEqual(
      [obscene, many, newer, light].map(({ caseId }) => caseId),
    );
    expect(cases[1]).toEqual({
      caseId: many.caseId,
      reported: { userId: many.reported.userId, nickname: many.reported.nickname },
      status: 'open',
      openedAtMs: expect.any(Number),
      lastReportAtMs: expect.any(Number),
      reasons: ['ABUSE'],
      reportCount: 2,
      weight: expect.closeTo(1.8, 5),
      claimedBy: null,
      claimEndsAtMs: null,
      isReporter: false,
      decidedBy: null,
      decidedAtMs: null,
      decision: null,
      decisionReason: null,
    });
    expect(await listed(moderator, 'mine')).toEqual([]);
    expect(await listed(moderator, 'decided')).toEqual([]);
  });

  it('pages decided cases, newest first', async () => {
    const moderator = await newModerator();
    const { reported } = await newCase();
    await sql`delete from report_case`.execute(app.database);
    await sql`
      insert into report_case (reported_id, status, opened_at, last_report_at, decided_at, decision)
      select ${reported.userId}, 'decided', now(), now(), now() - n * interval '1 minute', 'warn'
      from generate_series(1, 60) as n`.execute(app.database);
    const first = (await call('GET', 'cases?filter=decided', moderator)).json();
    const tooLate = await call('GET', 'cases?filter=decided&before=9007199254740991', moderator);
    expect(tooLate.statusCode).toBe(400);
    const url = `cases?filter=decided&before=${first.next}`;
    const second = (await call('GET', url, moderator)).json();
    expect([first.cases.length, second.cases.length, second.next]).toEqual([50, 10, null]);
    const times = [...first.cases, ...second.cases].map(
      ({ decidedAtMs }: CaseSummary) => decidedAtMs ?? 0,
    );
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(new Set(times).size).toBe(60);
  });
});

describe('a case', () => {
  it('shows the reports with conversation and statuses, and former cases; the reading is recorded once', async () => {
    const moderator = await newModerator();
    const roomId = await app.openRoom();
    const [reporter, reported] = [await app.newLearner(), await app.newLearner()];
    await app.seat(reporter, roomId);
    await app.seat(reported, roomId);
    const client = await clients.connectAs(app, reported);
    await client.send(destinations.sendChat, {
      senderId: reported.userId,
      roomId,
      content: 'an insult',
    });
    await report(app, { reporter, reported, roomId, reason: 'DISTURBANCE' });
    await sql`
      insert into report_case (reported_id, status, opened_at, last_report_at, decided_at, decision,
                               decision_reason)
      values (${reported.userId}, 'decided', now(), now(), now() - interval '1 day', 'warn', 'Please stop')`.execute(
      app.database,
    );
    const [summary] = await listed(moderator);
    const caseId = summary?.caseId ?? 0;
    const detail = (await read(moderator, caseId)).json<CaseDetail>();
    await read(moderator, caseId);
    expect(detail.reports).toEqual([
      {
        reportId: expect.any(Number),
        reporter: { userId: reporter.userId, nickname: reporter.nickname },
        reason: 'DISTURBANCE',
        description: 'DISTURBANCE in words',
        roomId,
        createdAtMs: expect.any(Number),
        weight: expect.any(Number),
        hasStill: false,
        hasBoard: false,
      },
    ]);
    const evidence = await readEvidence(moderator, detail.reports[0]?.reportId);
    expect(evidence.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(evidence.json()).toEqual({
      reportedId: reported.userId,
      messages: [
        {
          senderId: reported.userId,
          nickname: reported.nickname,
          content: 'an insult',
          number: 1,
          sentAtMs: expect.any(Number),
        },
      ],
      statuses: [
        expect.objectContaining({ userId: reporter.userId, leftAtMs: null }),
        expect.objectContaining({ userId: reported.userId, sinceMs: expect.any(Number) }),
      ],
    });
    expect(detail.formerCases).toEqual([
      expect.objectContaining({ decision: 'warn', decisionReason: 'Please stop' }),
    ]);
    expect(await eventsOf(caseId)).toEqual([
      { action: 'evidenceRead', actor: moderator.userId, details: {} },
    ]);
  });

  it('shows the fifty reports that count most, however many there are', async () => {
    const moderator = await newModerator();
    const { caseId } = await newCase({ weight: 0.9 });
    await sql`
      insert into report
        (case_id, reason, description, room_id, created_at, weight, messages, statuses)
      select case_id, 'ABUSE', '', room_id, created_at + interval '1 minute', 0, '[]', '[]'
      from report, generate_series(1, 60) where case_id = ${caseId}`.execute(app.database);
    const { reportCount, reports } = (await read(moderator, caseId)).json<CaseDetail>();
    expect([reportCount, reports.length]).toEqual([61, 50]);
    expect(reports.at(-1)).toMatchObject({ weight: expect.closeTo(0.9, 5) });
  });

  it('of fifty reports with the longest conversations is small; each is read by itself', async () => {
    const moderator = await newModerator();
    const { caseId, reported } = await newCase();
    const content = '가'.repeat(2_000);
    const message = {
      senderId: reported.userId,
      nickname: 'n',
      content,
      sentAt: '2026-01-01T00:00:00.123Z',
    };
    const messages = JSON.stringify(Array.from({ length: 50 }, () => message));
    await sql`
      insert into report
        (case_id, reason, description, room_id, created_at, weight, messages, statuses)
      select case_id, 'ABUSE', ${'가'.repeat(500)}, room_id, created_at, 1, ${messages}, '[]'
      from report, generate_series(1, 50) where case_id = ${caseId}`.execute(app.database);
    const detail = await read(moderator, caseId);
    expect(detail.rawPayload.length).toBeLessThan(256 * 1024);
    const evidence = await readEvidence(moderator, detail.json<CaseDetail>().reports[0]?.reportId);
    expect(evidence.json().messages).toHaveLength(50);
    expect(evidence.json().messages[0]).toEqual({
      ...{ senderId: reported.userId, nickname: 'n', content },
      sentAtMs: Date.parse(message.sentAt),
    });
  });

  it('shows the attached picture, which nobody keeps', async () => {
    const moderator = await newModerator();
    const { caseId } = await newCase();
    const image = await plain(64, 36).webp().toBuffer();
    await sql`
      insert into report_still select id, ${image}, now() from report where case_id = ${caseId}`.execute(
      app.database,
    );
    const { reports } = (await read(moderator, caseId)).json<CaseDetail>();
    expect(reports[0]?.hasStill).toBe(true);
    const still = await call('GET', `reports/${reports[0]?.reportId}/still`, moderator);
    expect([still.statusCode, still.headers['content-type']]).toEqual([200, 'image/webp']);
    expect(still.headers['cache-control']).toBe('no-store');
    expect(still.rawPayload).toEqual(image);
    await sql`delete from report_still`.execute(app.database);
    const gone = await call('GET', `reports/${reports[0]?.reportId}/still`, moderator);
    expect(gone.json()).toMatchObject({ error: 'stillNotFound' });
  });
});

describe('the reader of a case', () => {
  it('is no member: neither the reported, nor the reporter, nor anybody else', async () => {
    const { caseId, reported, reporters } = await newCase();
    const { rows } = await sql<{ id: number }>`select id from report`.execute(app.database);
    await sql`insert into report_still select id, 'x', now() from report`.execute(app.database);
    for (const member of [reported, ...reporters, await app.newLearner()]) {
      for (const answer of [
        await call('GET', 'cases?filter=open', member),
        await read(member, caseId),
        await call('GET', `reports/${rows[0]?.id}/still`, member),
        await claim(member, caseId),
        await release(member, caseId),
      ]) {
        expect([answer.statusCode, answer.json()]).toMatchObject([
          403,
          { error: 'moderatorsOnly' },
        ]);
      }
    }
  });

  it('is never the person concerned, moderator or admin', async () => {
    for (const role of ['moderator', 'admin'] as const) {
      const { caseId, reported } = await newCase();
      await sql`insert into report_still select id, 'x', now() from report where case_id = ${caseId}`.execute(
        app.database,
      );
      await app.grant(reported, role);
      expect((await listed(reported)).map((row) => row.caseId)).not.toContain(caseId);
      const { rows } = await sql<{ id: number }>`
        select id from report where case_id = ${caseId}`.execute(app.database);
      for (const answer of [
        await read(reported, caseId),
        await claim(reported, caseId),
        await release(reported, caseId),
        await call('GET', `reports/${rows[0]?.id}/still`, reported),
        await readEvidence(reported, rows[0]?.id),
        await call('GET', 'reports/999999/still', reported),
      ]) {
        expect([answer.statusCode, answer.json()]).toMatchObject([404, { error: 'caseNotFound' }]);
      }
    }
  });

  it('is an admin where it is about a moderator', async () => {
    const [moderator, admin] = [await newModerator(), await newModerator('admin')];
    const { caseId, reported } = await newCase();
    await app.grant(reported, 'moderator');
    expect(await listed(moderator)).toEqual([]);
    for (const answer of [await read(moderator, caseId), await claim(moderator, caseId)]) {
      expect(answer.json()).toMatchObject({ error: 'caseNeedsAdmin' });
    }
    expect((await listed(admin)).map((row) => row.caseId)).toEqual([caseId]);
    expect((await claim(admin, caseId)).statusCode).toBe(200);
  });

  it('is no moderator who has reported the person, for a decision', async () => {
    const { caseId, reporters } = await newCase();
    const [reporter] = reporters as [Learner];
    await app.grant(reporter, 'moderator');
    expect(await listed(reporter)).toMatchObject([{ caseId, isReporter: true }]);
    expect((await claim(reporter, caseId)).json()).toMatchObject({ error: 'caseOfReporter' });
  });
});

describe('a claim', () => {
  it('is one moderator’s at a time, also when many try at once', async () => {
    const { caseId } = await newCase();
    const moderators = await Promise.all(Array.from({ length: 6 }, () => newModerator()));
    const answers = await Promise.all(moderators.map((moderator) => claim(moderator, caseId)));
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
    const winner = moderators[statuses.indexOf(200)] as Learner;
    for (const [index, answer] of answers.entries()) {
      if (statuses[index] === 200) {
        expect(answer.json()).toMatchObject({ claimedBy: { userId: winner.userId } });
      } else expect(answer.json()).toMatchObject({ error: 'caseClaimed' });
    }
    expect((await listed(winner, 'mine')).map((row) => row.caseId)).toEqual([caseId]);
    expect((await claim(winner, caseId)).statusCode).toBe(200);
    expect(await eventsOf(caseId)).toEqual([
      { action: 'caseClaimed', actor: winner.userId, details: {} },
    ]);
  });

  it('can be given back, only by its owner', async () => {
    const { caseId } = await newCase();
    const [first, second] = [await newModerator(), await newModerator()];
    await claim(first, caseId);
    expect((await release(second, caseId)).json()).toMatchObject({
      claimedBy: { userId: first.userId },
    });
    // The reply includes the evidence.
    expect(await eventsOf(caseId)).toContainEqual(
      expect.objectContaining({ action: 'evidenceRead', actor: second.userId }),
    );
    expect((await release(first, caseId)).json()).toMatchObject({
      status: 'open',
      claimedBy: null,
    });
    expect((await claim(second, caseId)).statusCode).toBe(200);
  });

  it('can be taken over after half an hour', async () => {
    const { caseId } = await newCase();
    const [first, second] = [await newModerator(), await newModerator()];
    const before = app.clock.now().getTime();
    expect((await claim(first, caseId)).json()).toMatchObject({
      claimEndsAtMs: before + CASE_CLAIM_MS,
    });
    app.clock.advance(CASE_CLAIM_MS - 1);
    const renewed = await app.renew(second);
    expect((await claim(renewed, caseId)).json()).toMatchObject({ error: 'caseClaimed' });
    app.clock.advance(1);
    expect((await claim(renewed, caseId)).statusCode).toBe(200);
    expect((await eventsOf(caseId)).at(-1)).toEqual({
      action: 'caseClaimed',
      actor: second.userId,
      details: { takenOverFrom: first.userId },
    });
    app.clock.advance(-CASE_CLAIM_MS);
  });

  it('of no case is refused', async () => {
    expect((await claim(await newModerator(), 999_999)).json()).toMatchObject({
      error: 'caseNotFound',
    });
  });
});
