import {
  addReportStill,
  addSubject,
  blockUser,
  chooseSubject,
  createReport,
  DAY_MS,
  destinations,
  getOwnReports,
  MINUTE_MS,
  type OwnReport,
  type OwnSubjects,
  REPORT_DESCRIPTION_MAX_LENGTH,
  type ReportReason,
  type RoomId,
  showSubject,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { formOf } from '../../../test/form.ts';
import { newJpeg, plain } from '../../../test/pictures.ts';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import type { EvidenceMessage, EvidenceStatus } from './evidence.ts';

const { app, clients } = await openTestSite({
  emptied: ['report_case', 'seat', 'study_room', 'chat_message'],
});

interface Change {
  readonly reportedId?: unknown;
  readonly roomId?: unknown;
  readonly reason?: unknown;
  readonly description?: unknown;
}

const report = (reporter: Learner, reported: Learner, roomId: RoomId, change: Change = {}) =>
  app.inject({
    method: createReport.method,
    url: createReport.path,
    headers: reporter.headers,
    payload: { roomId, reportedId: reported.userId, reason: 'ABUSE', ...change },
  });

/** Two learners in a separate room. */
async function pair() {
  const roomId = await app.openRoom();
  const [reporter, reported] = [await app.newLearner(), await app.newLearner()];
  await app.seat(reporter, roomId);
  await app.seat(reported, roomId);
  return { reporter, reported, roomId };
}

interface StoredReport {
  readonly id: number;
  readonly caseId: number;
  readonly reportedId: number;
  readonly status: string;
  readonly reporterId: number | null;
  readonly reason: ReportReason;
  readonly description: string;
  readonly weight: number;
  readonly messages: EvidenceMessage[];
  readonly statuses: EvidenceStatus[];
}

async function storedReports(): Promise<StoredReport[]> {
  const { rows } = await sql<StoredReport>`
    select report.id, case_id as "caseId", reported_id as "reportedId", status,
           reporter_id as "reporterId", reason, description, weight, messages, statuses
    from report join report_case on report_case.id = case_id order by report.id`.execute(
    app.database,
  );
  return rows;
}

const countOf = async (table: 'report' | 'report_case' | 'report_still') => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)}`.execute(app.database);
  return rows[0]?.count;
};

async function say(learner: Learner, roomId: RoomId, ...contents: readonly string[]) {
  const client = await clients.connectAs(app, learner);
  for (const content of contents) {
    await client.send(destinations.sendChat, { senderId: learner.userId, roomId, content });
  }
}

describe('a report', () => {
  it('is stored with reason and text, in a case about the person', async () => {
    const { reporter, reported, roomId } = await pair();
    const answer = await report(reporter, reported, roomId, {
      reason: 'DISTURBANCE',
      description: '  계속 소리쳐요\u0007 ',
    });
    expect(answer.statusCode).toBe(200);
    const [stored] = await storedReports();
    expect(answer.json()).toEqual({ reportId: stored?.id });
    expect(stored).toMatchObject({
      reportedId: reported.userId,
      status: 'open',
      reporterId: reporter.userId,
      reason: 'DISTURBANCE',
      description: '계속 소리쳐요',
    });
  });

  it.each([
    ['a reason that is none', { reason: 'OTHER' }],
    ['no reason', { reason: undefined }],
    ['a target id that is not numeric', { reportedId: 'kim' }],
    ['no target', { reportedId: undefined }],
    ['no room', { roomId: undefined }],
    ['a long description', { description: 'a'.repeat(REPORT_DESCRIPTION_MAX_LENGTH + 1) }],
  ])('with %s is refused', async (_what, change) => {
    const { reporter, reported, roomId } = await pair();
    const answer = await report(reporter, reported, roomId, change);
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { error: 'invalidRequest' }]);
    expect(await countOf('report_case')).toBe(0);
  });

  it('of oneself is refused', async () => {
    const { reporter, roomId } = await pair();
    const answer = await report(reporter, reporter, roomId);
    expect(answer.json()).toMatchObject({ error: 'cannotReportYourself' });
  });

  it('is made once a person, until that is decided', async () => {
    const { reporter, reported, roomId } = await pair();
    const answers = await Promise.all([
      report(reporter, reported, roomId),
      report(reporter, reported, roomId, { reason: 'DISTURBANCE' }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
    const again = await report(reporter, reported, roomId);
    expect(again.json()).toMatchObject({ error: 'alreadyReported' });
    expect(await countOf('report')).toBe(1);
    await sql`update report_case set status = 'decided', decided_at = now(), decision = 'warn'`.execute(
      app.database,
    );
    expect((await report(reporter, reported, roomId)).statusCode).toBe(200);
    expect(await countOf('report_case')).toBe(2);
  });

  it('joins the case of the person, also when many come at once', async () => {
    const { reporter, reported, roomId } = await pair();
    const others = await Promise.all(Array.from({ length: 8 }, () => app.newLearner()));
    for (const other of others) await app.seat(other, roomId);
    const answers = await Promise.all(
      [reporter, ...others].map((learner) => report(learner, reported, roomId)),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
    expect(await countOf('report_case')).toBe(1);
    expect(await countOf('report')).toBe(9);
  });

  it('can be about a blocked learner', async () => {
    const { reporter, reported, roomId } = await pair();
    await app.inject({
      method: blockUser.method,
      url: `/api/blocks/${reported.userId}`,
      headers: reporter.headers,
    });
    expect((await report(reporter, reported, roomId)).statusCode).toBe(200);
  });

  it('takes two queries', async () => {
    const { reporter, reported, roomId } = await pair();
    app.queries.splice(0);
    await report(reporter, reported, roomId);
    expect(app.queries.filter((text) => /\breport/u.test(text))).toHaveLength(2);
  });
});

describe('a report without a shared time in the room', () => {
  it('is answered alike, whether that account exists or not', async () => {
    const { reporter, reported, roomId } = await pair();
    const elsewhere = await app.newLearner();
    const otherRoom = await app.openRoom();
    await app.seat(elsewhere, otherRoom);
    const answers = [
      await report(reporter, elsewhere, roomId),
      await report(reporter, elsewhere, otherRoom),
      await report(reporter, await app.newLearner(), roomId),
      await report(reporter, reported, roomId, { reportedId: 99_999_999 }),
      await report(reporter, reported, roomId, { roomId: 99_999_999 }),
      await report(reporter, reported, otherRoom),
    ];
    for (const answer of answers) {
      expect([answer.statusCode, answer.json()]).toEqual([403, answers[0]?.json()]);
      expect(answer.json()).toMatchObject({ error: 'reportedNotThere' });
    }
    expect(await countOf('report_case')).toBe(0);
  });

  it('is refused if one came after the other had left', async () => {
    const roomId = await app.openRoom();
    const [first, keeper, second] = [
      await app.newLearner(),
      await app.newLearner(),
      await app.newLearner(),
    ];
    await app.seat(first, roomId);
    await app.seat(keeper, roomId);
    await app.leave(first);
    app.clock.advance(1_000);
    await app.seat(second, roomId);
    expect((await report(second, first, roomId)).json()).toMatchObject({
      error: 'reportedNotThere',
    });
    expect((await report(keeper, first, roomId)).statusCode).toBe(200);
  });

  it('is accepted up to ten minutes after one of them left', async () => {
    const { reporter, reported, roomId } = await pair();
    await app.leave(reported);
    await app.leave(reporter);
    app.clock.advance(10 * MINUTE_MS + 1_000);
    const late = await report(await app.renew(reporter), reported, roomId);
    expect(late.json()).toMatchObject({ error: 'reportedNotThere' });
    app.clock.advance(-2_000);
    expect((await report(await app.renew(reporter), reported, roomId)).statusCode).toBe(200);
  });
});

describe('the evidence', () => {
  it('is the conversation and the learners present, with their names at that time', async () => {
    const { reporter, reported, roomId } = await pair();
    await say(reported, roomId, 'first', 'second');
    await app.move(reporter, 'start', roomId);
    await report(reporter, reported, roomId);
    await app.inject({
      method: 'PATCH',
      url: '/api/user/profile/nickname',
      payload: { newNickname: `x${reported.nickname}`.slice(0, 20) },
      headers: reported.headers,
    });
    await sql`delete from chat_message`.execute(app.database);
    const [stored] = await storedReports();
    const { userId: senderId, nickname } = reported;
    expect(stored?.messages).toEqual(
      ['first', 'second'].map((content, index) => ({
        senderId,
        nickname,
        content,
        sentAt: expect.any(String),
        number: index + 1,
      })),
    );
    expect(stored?.statuses).toEqual([
      expect.objectContaining({ userId: reporter.userId, status: 'focus', leftAt: null }),
      expect.objectContaining({ userId: reported.userId, nickname, leftAt: null }),
    ]);
  });

  it('has the subject on the tile of the person while they show it', async () => {
    const { reporter, reported, roomId } = await pair();
    const put = (path: string, payload: object, method: 'POST' | 'PUT' = 'PUT') =>
      app.inject({ method, url: path, payload, headers: reported.headers });
    const { subjects } = (await put(addSubject.path, { name: 'slur' }, 'POST')).json<OwnSubjects>();
    await put(chooseSubject.path, { subjectId: subjects[0]?.id });
    await put(showSubject.path, { isShown: true });
    await report(reporter, reported, roomId);
    await put(showSubject.path, { isShown: false });
    const other = await app.newLearner();
    await app.seat(other, roomId);
    await report(other, reported, roomId);
    const shown = (await storedReports()).map(({ statuses }) =>
      statuses.map(({ userId, subject }) => (userId === reported.userId ? subject : 'not theirs')),
    );
    expect(shown).toEqual([
      ['not theirs', 'slur'],
      ['not theirs', undefined, 'not theirs'],
    ]);
  });

  it('names the message that a reply answers', async () => {
    const { reporter, reported, roomId } = await pair();
    await say(reported, roomId, 'first', 'second');
    await sql`update chat_message set quoted_number = 1 where number = 2`.execute(app.database);
    await report(reporter, reported, roomId);
    const [stored] = await storedReports();
    expect(stored?.messages.map(({ number, quotedNumber }) => [number, quotedNumber])).toEqual([
      [1, undefined],
      [2, 1],
    ]);
  });

  it('is the last fifty messages', async () => {
    const { reporter, reported, roomId } = await pair();
    await sql`
      insert into chat_message
      select ${roomId}, epoch, n, ${reported.userId}, 'c' || n, 'message ' || n, 'name', '', now()
      from study_room, generate_series(1, 60) as n where id = ${roomId}`.execute(app.database);
    await report(reporter, reported, roomId);
    const [stored] = await storedReports();
    const contents = stored?.messages.map(({ content }) => content);
    expect(contents).toHaveLength(50);
    expect([contents?.[0], contents?.at(-1)]).toEqual(['message 11', 'message 60']);
  });

  it('is nothing that was said when the reporter had left', async () => {
    const { reporter, reported, roomId } = await pair();
    await say(reported, roomId, 'insult');
    app.clock.advance(1_000);
    await app.leave(reporter);
    app.clock.advance(1_000);
    const newcomer = await app.newLearner();
    await app.seat(newcomer, roomId);
    await say(newcomer, roomId, 'among others');
    await report(reporter, reported, roomId);
    const [stored] = await storedReports();
    expect(stored?.messages.map(({ content }) => content)).toEqual(['insult']);
  });

  it('holds the conversation also when the room has emptied since', async () => {
    const { reporter, reported, roomId } = await pair();
    await say(reported, roomId, 'insult');
    app.clock.advance(1_000);
    await app.leave(reported);
    await app.leave(reporter);
    await report(reporter, reported, roomId);
    const [stored] = await storedReports();
    expect(stored?.messages.map(({ content }) => content)).toEqual(['insult']);
    expect(stored?.statuses).toEqual([
      expect.objectContaining({ userId: reported.userId, leftAt: expect.any(String) }),
    ]);
  });
});

const decide = (decision: string) =>
  sql`update report_case set status = 'decided', decided_at = ${app.clock.now()},
      decision = ${decision}`.execute(app.database);

const ownReports = async ({ headers }: Learner) => {
  const answer = await app.inject({ url: getOwnReports.path, headers });
  return answer.json<{ reports: OwnReport[] }>().reports;
};

describe('the answer to a report', () => {
  it('is received, in review, then that something was done, and not what', async () => {
    const { reporter, reported, roomId } = await pair();
    const nowMs = app.clock.now().getTime();
    await report(reporter, reported, roomId, { description: 'my words' });
    const own = {
      reportId: expect.any(Number),
      nickname: reported.nickname,
      reason: 'ABUSE',
      description: 'my words',
      reportedAtMs: nowMs,
      state: 'received',
      decidedAtMs: null,
    };
    expect(await ownReports(reporter)).toEqual([own]);
    await sql`update report_case set status = 'claimed'`.execute(app.database);
    expect(await ownReports(reporter)).toEqual([{ ...own, state: 'inReview' }]);
    await decide('ban');
    const answered = { ...own, state: 'actionTaken', decidedAtMs: nowMs };
    expect(await ownReports(reporter)).toEqual([answered]);
    await report(reporter, reported, roomId);
    expect(await ownReports(reporter)).toMatchObject([{ state: 'received' }, answered]);
  });

  it('says that no violation was found where the reports were dismissed', async () => {
    const { reporter, reported, roomId } = await pair();
    await report(reporter, reported, roomId);
    await decide('dismiss');
    expect(await ownReports(reporter)).toMatchObject([{ state: 'noViolation' }]);
  });

  it('names a reported person who left and came back after the reporter had left', async () => {
    const { reporter, reported, roomId } = await pair();
    await app.leave(reporter);
    app.clock.advance(1_000);
    await app.leave(reported);
    await app.seat(reported, roomId);
    await report(reporter, reported, roomId);
    expect(await ownReports(reporter)).toMatchObject([{ nickname: reported.nickname }]);
    const [stored] = await storedReports();
    expect(stored?.statuses).toMatchObject([{ userId: reported.userId, leftAt: null }]);
  });

  it('is for the reporter alone', async () => {
    const { reporter, reported, roomId } = await pair();
    const witness = await app.newLearner();
    await app.seat(witness, roomId);
    await report(reporter, reported, roomId);
    expect(await ownReports(reported)).toEqual([]);
    expect(await ownReports(witness)).toEqual([]);
  });
});

describe('a still', () => {
  const addStill = async ({ headers }: Learner, reportId: unknown, picture?: Uint8Array) => {
    const form = await formOf([{ field: 'still', bytes: picture ?? (await newJpeg()) }]);
    return app.inject({
      method: addReportStill.method,
      url: addReportStill.path.replace(':reportId', String(reportId)),
      payload: form.payload,
      headers: { ...headers, ...form.headers },
    });
  };
  const reportedNow = async () => {
    const people = await pair();
    const answer = await report(people.reporter, people.reported, people.roomId);
    return { ...people, reportId: answer.json<{ reportId: number }>().reportId };
  };

  it('is stored with the report, 640 by 360 at most, without anything but its pixels', async () => {
    const { reporter, reportId } = await reportedNow();
    const large = await plain(1_600, 1_200)
      .jpeg()
      .withExif({ IFD0: { Copyright: 'me' } })
      .toBuffer();
    expect((await addStill(reporter, reportId, large)).statusCode).toBe(200);
    const { rows } = await sql<{ image: Buffer }>`select image from report_still`.execute(
      app.database,
    );
    const { width, height, format, exif } = await sharp(rows[0]?.image).metadata();
    expect({ width, height, format, exif }).toEqual({ width: 480, height: 360, format: 'webp' });
    const { rows: images } = await sql`select from image`.execute(app.database);
    expect(images).toEqual([]);
  });

  it('is taken once, also when it is sent twice at the same time', async () => {
    const { reporter, reportId } = await reportedNow();
    const answers = await Promise.all([addStill(reporter, reportId), addStill(reporter, reportId)]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
    const again = await addStill(reporter, reportId);
    expect(again.json()).toMatchObject({ error: 'stillNotTaken' });
    expect(await countOf('report_still')).toBe(1);
  });

  it('is taken of the reporter alone, and of nobody for a report that is none', async () => {
    const { reporter, reported, reportId } = await reportedNow();
    for (const [learner, id] of [
      [reported, reportId],
      [await app.newLearner(), reportId],
      [reporter, reportId + 1],
    ] as const) {
      const answer = await addStill(learner, id);
      expect([answer.statusCode, answer.json()]).toMatchObject([404, { error: 'reportNotFound' }]);
    }
    expect((await addStill(reporter, 'mine')).statusCode).toBe(400);
    expect(await countOf('report_still')).toBe(0);
  });

  it('comes within five minutes', async () => {
    const { reporter, reportId } = await reportedNow();
    app.clock.advance(5 * MINUTE_MS + 1_000);
    const late = await addStill(await app.renew(reporter), reportId);
    expect(late.json()).toMatchObject({ error: 'stillNotTaken' });
  });

  it('that is no picture is refused, and the report stays', async () => {
    const { reporter, reportId } = await reportedNow();
    const answer = await addStill(reporter, reportId, Buffer.from('<svg/>'));
    expect(answer.json()).toMatchObject({ error: 'imageUnsupported' });
    expect([await countOf('report'), await countOf('report_still')]).toEqual([1, 0]);
  });

  it('is deleted 30 days after the decision, and not before one', async () => {
    const { reporter, reportId } = await reportedNow();
    await addStill(reporter, reportId);
    app.clock.advance(60 * DAY_MS);
    await app.runJob('old reports');
    expect(await countOf('report_still')).toBe(1);
    await decide('warn');
    app.clock.advance(30 * DAY_MS - MINUTE_MS);
    await app.runJob('old reports');
    expect(await countOf('report_still')).toBe(1);
    app.clock.advance(2 * MINUTE_MS);
    await app.runJob('old reports');
    expect([await countOf('report_still'), await countOf('report')]).toEqual([0, 1]);
    app.clock.advance(-(90 * DAY_MS + MINUTE_MS));
  });
});

describe('a stored report', () => {
  it('is deleted after a year', async () => {
    const { reporter, reported, roomId } = await pair();
    await report(reporter, reported, roomId);
    app.clock.advance(365 * DAY_MS - MINUTE_MS);
    await app.runJob('old reports');
    expect(await countOf('report')).toBe(1);
    app.clock.advance(2 * MINUTE_MS);
    await app.runJob('old reports');
    expect([await countOf('report'), await countOf('report_case')]).toEqual([0, 0]);
    app.clock.advance(-(365 * DAY_MS + MINUTE_MS));
  });

  it('stays without the reporter when they delete their account, and goes with the reported', async () => {
    const { reporter, reported, roomId } = await pair();
    await say(reporter, roomId, 'please stop');
    await say(reported, roomId, 'insult');
    await report(reporter, reported, roomId, { description: 'my words' });
    const deleteAccount = async ({ headers }: Learner) => {
      const url = '/api/user/deletion';
      await app.inject({ method: 'POST', url, headers, payload: { delayDays: 0 } });
      app.clock.advance(MINUTE_MS);
      await app.runJob('account deletions');
    };
    await deleteAccount(reporter);
    const [stored] = await storedReports();
    expect(stored).toMatchObject({ reporterId: null, description: '', reason: 'ABUSE' });
    expect(stored?.messages.map(({ content }) => content)).toEqual(['insult']);
    expect(stored?.statuses.map(({ userId }) => userId)).toEqual([reported.userId]);
    await deleteAccount(reported);
    expect(await countOf('report_case')).toBe(0);
  });
});
