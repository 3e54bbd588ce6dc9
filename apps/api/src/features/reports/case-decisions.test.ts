import {
  type Appeal,
  appealSanction,
  type CaseDetail,
  DAY_MS,
  type Decision,
  type GroupCard,
  type GroupId,
  type GroupTextKind,
  getProfile,
  LATEST_MS,
  type OwnSanction,
  type PersonSanction,
  WITHDRAWN_GROUP_NAME,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { untilLocked } from '../../../test/lock-waits.ts';
import { newCase, newModerator, report } from '../../../test/reported-cases.ts';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const { app, clients } = await openTestSite({
  emptied: ['report_case', 'seat', 'study_room', 'sanction'],
});

const post = (url: string, { headers }: Learner, payload?: object) =>
  app.inject({
    method: 'POST',
    url: `/api/moderation/${url}`,
    headers,
    ...(payload && { payload }),
  });
const claim = (moderator: Learner, caseId: number) => post(`cases/${caseId}/claim`, moderator);
/** Decides about all reports, unless the body says which were read. */
const decide = (moderator: Learner, caseId: number, payload: object) =>
  post(`cases/${caseId}/decision`, moderator, { readUntilMs: LATEST_MS, ...payload });

/** A case that a moderator has claimed. */
async function claimedCase() {
  const moderator = await newModerator(app);
  const found = await newCase(app);
  await claim(moderator, found.caseId);
  return { ...found, moderator };
}

const sanctionsOf = async ({ headers }: Learner) =>
  (await app.inject({ url: '/api/sanctions/mine', headers })).json<{ sanctions: OwnSanction[] }>()
    .sanctions;

const statusOf = async (caseId: number) => {
  const { rows } = await sql<{ status: string }>`
    select status from report_case where id = ${caseId}`.execute(app.database);
  return rows[0]?.status;
};

const reportText = ({ headers }: Learner, groupId: GroupId, text: GroupTextKind) => {
  const payload = { reason: 'ABUSE', text };
  const url = `/api/groups/${groupId}/reports`;
  return app.inject({ method: 'POST', url, payload, headers });
};

/** A group as learners outside of it see it. */
const cardOf = async (groupId: GroupId, { headers }: Learner): Promise<GroupCard> =>
  (await app.inject({ url: `/api/groups/${groupId}/card`, headers })).json().group;

const undecidedCase = async () => {
  const { rows } = await sql<{ id: number }>`
    select id from report_case where status <> 'decided'`.execute(app.database);
  return rows[0]?.id ?? 0;
};

describe('a decision', () => {
  it.each<[Decision, number | undefined, number | null]>([
    ['warn', undefined, 0],
    ['muteChat', 7, 7 * DAY_MS],
    ['cameraOff', 30, 30 * DAY_MS],
    ['remove', undefined, DAY_MS],
    ['suspend', 1, DAY_MS],
    ['ban', undefined, null],
  ])(
    '%s for %s days closes the case, and the person is told why',
    async (decision, days, lasts) => {
      const { moderator, caseId, reported, roomId } = await claimedCase();
      const reason = '채팅에서 다른 사람을 모욕했어요.';
      const answer = await decide(moderator, caseId, {
        decision,
        days,
        reason: ` ${reason}\u0007 `,
      });
      expect(answer.json<CaseDetail>()).toMatchObject({
        status: 'decided',
        decidedBy: { userId: moderator.userId },
        decision,
        decisionReason: reason,
        sanctions: [{ kind: decision, reason, caseId }],
      });
      const [sanction, ...others] = await sanctionsOf(reported);
      expect(others).toEqual([]);
      const toldRoomId = decision === 'remove' ? roomId : null;
      expect(sanction).toMatchObject({ kind: decision, rule: null, reason, roomId: toldRoomId });
      const lasted = sanction?.endsAtMs ? sanction.endsAtMs - sanction.imposedAtMs : null;
      expect(sanction?.endsAtMs === null ? null : lasted).toBe(lasts);
      const { rows } = await sql`
      select action, actor_id as "by", details from audit_event
      where subject_id = ${reported.userId} order by id`.execute(app.database);
      expect(rows).toEqual([
        expect.objectContaining({ action: 'caseClaimed' }),
        expect.objectContaining({ action: 'sanctionImposed', by: moderator.userId }),
        {
          action: 'caseDecided',
          by: moderator.userId,
          details: { decision, ...(days !== undefined && { days }) },
        },
      ]);
    },
  );

  it('takes a text that was reported before an obscene picture by the same learner, whose evidence is kept', async () => {
    const [leader, reporter] = [await app.newLearner(), await app.newLearner()];
    const roomId = await app.seat(leader);
    await app.seat(reporter, roomId);
    const groupId = await app.openGroup(leader, { name: 'slur' });
    await reportText(reporter, groupId, 'name');
    const reported = await report(app, {
      ...{ reporter, reported: leader, roomId },
      reason: 'OBSCENE_CONTENT',
    });
    expect(reported.statusCode).toBe(200);
    const moderator = await newModerator(app);
    const caseId = await undecidedCase();
    const { reports } = (await claim(moderator, caseId)).json<CaseDetail>();
    expect(reports).toMatchObject([{ reason: 'OBSCENE_CONTENT', groupText: 'name' }]);
    const evidence = await app.inject({
      url: `/api/moderation/reports/${reports[0]?.reportId}/evidence`,
      headers: moderator.headers,
    });
    expect(evidence.json().messages).toMatchObject([{ content: 'slur' }]);
    await decide(moderator, caseId, {
      ...{ decision: 'warn', reason: 'Insult', withdrawsTexts: true },
    });
    expect(await cardOf(groupId, reporter)).toMatchObject({ name: WITHDRAWN_GROUP_NAME });
    for (const learner of [leader, reporter]) await app.leave(learner);
  });

  it('takes reported texts from a group where they still stand, in the list, its page and its room', async () => {
    const [leader, reporter, other] = [
      await app.newLearner(),
      await app.newLearner(),
      await app.newLearner(),
    ];
    const groupId = await app.openGroup(leader, { name: 'slur', goal: 'insult', isListed: true });
    const card = () => cardOf(groupId, reporter);
    const decideOn = async (decision: Decision, withdraws: boolean) => {
      const moderator = await newModerator(app);
      const caseId = await undecidedCase();
      const claimed = (await claim(moderator, caseId)).json<CaseDetail>();
      await decide(moderator, caseId, { decision, reason: 'Insults', withdrawsTexts: withdraws });
      return { caseId, texts: claimed.reports.map(({ groupText }) => groupText).toSorted() };
    };
    await reportText(reporter, groupId, 'name');
    expect((await decideOn('dismiss', true)).texts).toEqual(['name']);
    await reportText(reporter, groupId, 'name');
    await decideOn('warn', false);
    expect(await card()).toMatchObject({ name: 'slur', goal: 'insult' });

    await reportText(reporter, groupId, 'name');
    await reportText(other, groupId, 'goal');
    const choices = { ...(await card()), goal: 'words' };
    const url = `/api/groups/${groupId}`;
    const edited = { method: 'PUT', url, payload: choices, headers: leader.headers } as const;
    expect((await app.inject(edited)).statusCode).toBe(200);
    const { caseId, texts } = await decideOn('warn', true);
    expect(texts).toEqual(['goal', 'name']);
    expect(await card()).toMatchObject({ name: WITHDRAWN_GROUP_NAME, goal: 'words' });
    const { rows: rooms } = await sql`
      select hosted_room.name from hosted_room join study_group using (room_id)
      where study_group.id = ${groupId} and name_by is null`.execute(app.database);
    expect(rooms).toEqual([{ name: WITHDRAWN_GROUP_NAME }]);
    const { rows: events } = await sql`
      select details from audit_event
      where action = 'caseDecided' and case_id = ${caseId}`.execute(app.database);
    expect(events).toEqual([{ details: { decision: 'warn', changedGroups: 1 } }]);
    // Leaders can write again.
    expect((await app.inject(edited)).statusCode).toBe(200);
    expect(await card()).toMatchObject({ name: 'slur' });
  });

  it.each([0, 5_000])(
    'is refused until its moderator has read a report that arrived meanwhile, at a process whose clock is %i ms behind',
    async (behind) => {
      const { moderator, caseId, reported, roomId } = await claimedCase();
      const groupId = await app.openGroup(reported, { name: 'slur', isListed: true });
      const decision = { decision: 'remove', reason: 'Insults', withdrawsTexts: true };
      const readUntil = async () => ({
        readUntilMs: (await claim(moderator, caseId)).json<CaseDetail>().lastReportAtMs,
      });
      const read = await readUntil();
      const other = await app.newLearner();
      app.clock.advance(-behind);
      expect((await reportText(other, groupId, 'name')).statusCode).toBe(200);
      const refused = await decide(moderator, caseId, { ...decision, ...read });
      expect(refused).toMatchObject({ statusCode: 409 });
      expect(refused.json()).toMatchObject({ error: 'caseChanged' });
      expect(await sanctionsOf(reported)).toEqual([]);
      expect(await cardOf(groupId, other)).toMatchObject({ name: 'slur' });
      await decide(moderator, caseId, { ...decision, ...(await readUntil()) });
      expect(await sanctionsOf(reported)).toMatchObject([{ kind: 'remove', roomId }]);
      expect(await cardOf(groupId, other)).toMatchObject({ name: WITHDRAWN_GROUP_NAME });
      app.clock.advance(behind);
    },
  );

  it('holds at once: a suspended person can do nothing more with the token they have', async () => {
    const { moderator, caseId, reported } = await claimedCase();
    const blocks = () => app.inject({ url: '/api/blocks', headers: reported.headers });
    expect((await blocks()).statusCode).toBe(200);
    await decide(moderator, caseId, { decision: 'ban', reason: 'Insults' });
    await vi.waitFor(async () =>
      expect((await blocks()).json()).toMatchObject({ error: 'accountSuspended' }),
    );
  });

  it('to dismiss needs no reason, and imposes nothing', async () => {
    const { moderator, caseId, reported } = await claimedCase();
    const answer = await decide(moderator, caseId, { decision: 'dismiss', reason: '' });
    expect(answer.json()).toMatchObject({ decision: 'dismiss', sanctions: [] });
    expect(await sanctionsOf(reported)).toEqual([]);
  });

  it('ends automatic sanctions of the case', async () => {
    const { moderator, caseId, reported } = await claimedCase();
    await sql`
      insert into sanction (user_id, kind, rule, reason, case_id, imposed_at, changed_at)
      values (${reported.userId}, 'cameraOff', 'obsceneReports', 'reports', ${caseId}, now(), now())`.execute(
      app.database,
    );
    await decide(moderator, caseId, { decision: 'dismiss', reason: '' });
    expect(await sanctionsOf(reported)).toMatchObject([
      { kind: 'cameraOff', liftedAtMs: expect.any(Number) },
    ]);
  });

  it('ends automatic sanctions that a report causes during the decision', async () => {
    const { moderator, caseId, reported } = await claimedCase();
    let decided: ReturnType<typeof decide> | undefined;
    await app.database.transaction().execute(async (transaction) => {
      await sql`select from report_case where id = ${caseId} for update`.execute(transaction);
      decided = decide(moderator, caseId, { decision: 'dismiss', reason: '' });
      await vi.waitFor(async () => {
        const waiting = await sql`select from pg_locks where not granted`.execute(app.database);
        expect(waiting.rows).not.toEqual([]);
      });
      await sql`
        insert into sanction (user_id, kind, rule, reason, case_id, imposed_at, changed_at)
        values (${reported.userId}, 'cameraOff', 'obsceneReports', 'reports', ${caseId}, now(), now())`.execute(
        transaction,
      );
    });
    expect((await decided)?.statusCode).toBe(200);
    expect(await sanctionsOf(reported)).toMatchObject([{ liftedAtMs: expect.any(Number) }]);
  });

  it('reaches the reporters, wherever they are connected', async () => {
    const { moderator, caseId, reporters } = await claimedCase();
    const [reporter] = reporters as [Learner];
    const client = await clients.connectAs(app, reporter);
    const notices = await client.subscribe('/user/queue/notices');
    await decide(moderator, caseId, { decision: 'warn', reason: 'Insults' });
    await vi.waitFor(() =>
      expect(notices.map(({ body }) => body)).toContainEqual({ kind: 'reportDecided' }),
    );
  });

  it.each([
    ['a period where there is none', { decision: 'ban', days: 7, reason: 'Insults' }],
    ['no period', { decision: 'suspend', reason: 'Insults' }],
    ['another period', { decision: 'suspend', days: 2, reason: 'Insults' }],
    ['no reason', { decision: 'warn', reason: ' \u0007 ' }],
    ['another decision', { decision: 'jail', reason: 'Insults' }],
    ['a long reason', { decision: 'warn', reason: 'x'.repeat(501) }],
  ])('with %s is refused', async (_what, payload) => {
    const { moderator, caseId, reported } = await claimedCase();
    const answer = await decide(moderator, caseId, payload);
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { error: 'invalidRequest' }]);
    expect([await statusOf(caseId), await sanctionsOf(reported)]).toEqual(['claimed', []]);
  });

  it('is one, also when it is sent twice or by two at once', async () => {
    const { moderator, caseId, reported } = await claimedCase();
    const other = await newModerator(app);
    const payload = { decision: 'warn', reason: 'Insults' };
    const answers = await Promise.all([
      decide(moderator, caseId, payload),
      decide(moderator, caseId, payload),
      decide(other, caseId, payload),
    ]);
    const errors = answers.map((answer) => answer.json().error ?? 'none');
    expect(errors.filter((error) => error === 'none')).toHaveLength(1);
    expect(['caseDecided', 'caseNotClaimed']).toContain(errors[2]);
    expect(await sanctionsOf(reported)).toHaveLength(1);
    expect((await claim(other, caseId)).json()).toMatchObject({ error: 'caseDecided' });
  });

  it('needs a claim that is the moderator’s own', async () => {
    const [moderator, { caseId, reporters, reported }] = [
      await newModerator(app),
      await newCase(app),
    ];
    const payload = { decision: 'warn', reason: 'Insults' };
    const refused = await decide(moderator, caseId, payload);
    expect([refused.statusCode, refused.json()]).toMatchObject([409, { error: 'caseNotClaimed' }]);
    const [reporter] = reporters as [Learner];
    await app.grant(reporter, 'moderator');
    expect((await decide(reporter, caseId, payload)).json()).toMatchObject({
      error: 'caseOfReporter',
    });
    await app.grant(reported, 'admin');
    expect((await decide(reported, caseId, payload)).json()).toMatchObject({
      error: 'caseNotFound',
    });
    expect((await decide(moderator, caseId, payload)).json()).toMatchObject({
      error: 'caseNeedsAdmin',
    });
  });

  it('is refused to a moderator who reports the person after claiming the case', async () => {
    const { moderator, caseId, reported, roomId } = await claimedCase();
    await app.seat(moderator, roomId);
    await report(app, { reporter: moderator, reported, roomId, reason: 'ABUSE' });
    const answer = await decide(moderator, caseId, { decision: 'ban', reason: 'Insults' });
    expect(answer.json()).toMatchObject({ error: 'caseOfReporter' });
    expect(await statusOf(caseId)).toBe('claimed');
  });

  it.each(['moderator', 'reported'] as const)(
    'is none when the role of the %s changes while it is sent',
    async (whose) => {
      const found = await claimedCase();
      const { moderator, caseId, reported } = found;
      const role = whose === 'moderator' ? 'member' : 'moderator';
      const sent = await app.database.transaction().execute(async (transaction) => {
        await sql`update users set role = ${role} where id = ${found[whose].userId}`.execute(
          transaction,
        );
        const answer = decide(moderator, caseId, { decision: 'ban', reason: 'Insults' });
        await untilLocked(app.database, 1);
        return { answer };
      });
      expect((await sent.answer).statusCode).toBe(403);
      expect([await statusOf(caseId), await sanctionsOf(reported)]).toEqual(['claimed', []]);
    },
  );

  it('is stored with its sanction and its record, or not at all', async () => {
    const { moderator, caseId, reported } = await claimedCase();
    await sql`
      alter table audit_event add constraint fails check (action <> 'caseDecided') not valid`.execute(
      app.database,
    );
    try {
      const answer = await decide(moderator, caseId, { decision: 'ban', reason: 'Insults' });
      expect(answer.statusCode).toBe(500);
    } finally {
      await sql`alter table audit_event drop constraint fails`.execute(app.database);
    }
    expect([await statusOf(caseId), await sanctionsOf(reported)]).toEqual(['claimed', []]);
    const profile = await app.inject({ url: getProfile.path, headers: reported.headers });
    expect(profile.statusCode).toBe(200);
  });
});

/** A suspended person with an appeal. */
async function appealedCase() {
  const found = await claimedCase();
  const { moderator, caseId, reported } = found;
  await decide(moderator, caseId, { decision: 'suspend', days: 7, reason: 'Insults' });
  const [sanction] = await sanctionsOf(reported);
  const sanctionId = sanction?.id ?? 0;
  await app.inject({
    method: appealSanction.method,
    url: `/api/sanctions/${sanctionId}/appeal`,
    headers: reported.headers,
    payload: { text: 'That was not me.' },
  });
  return { ...found, sanctionId };
}

const listAppeals = async ({ headers }: Learner) =>
  (await app.inject({ url: '/api/moderation/appeals', headers })).json<{ appeals: Appeal[] }>()
    .appeals;
const answerAppeal = (moderator: Learner, sanctionId: number, outcome: string) =>
  post(`appeals/${sanctionId}`, moderator, { outcome, answer: 'We have looked again.' });

describe('an appeal', () => {
  it('waits for another moderator than the deciding one', async () => {
    const { moderator, sanctionId, reported, caseId } = await appealedCase();
    const other = await newModerator(app);
    expect(await listAppeals(other)).toEqual([
      {
        sanctionId,
        kind: 'suspend',
        rule: null,
        reason: 'Insults',
        caseId,
        imposedAtMs: expect.any(Number),
        endsAtMs: expect.any(Number),
        liftedAtMs: null,
        appeal: {
          text: 'That was not me.',
          atMs: expect.any(Number),
          outcome: null,
          answer: null,
        },
        person: { userId: reported.userId, nickname: reported.nickname },
        isOwnDecision: false,
        isReporter: false,
      },
    ]);
    expect(await listAppeals(moderator)).toMatchObject([{ sanctionId, isOwnDecision: true }]);
    const own = await answerAppeal(moderator, sanctionId, 'upheld');
    expect(own.json()).toMatchObject({ error: 'appealOfOwnDecision' });
    expect((await answerAppeal(other, sanctionId, 'upheld')).json()).toEqual({ appeals: [] });
    expect(await sanctionsOf(reported)).toMatchObject([
      {
        liftedAtMs: null,
        appeal: { answer: { outcome: 'upheld', text: 'We have looked again.' } },
      },
    ]);
  });

  it('is not answered by a moderator who reported the person, if the deciding one can', async () => {
    await sql`update users set role = 'member'`.execute(app.database);
    const { moderator, sanctionId, reporters } = await appealedCase();
    const [reporter] = reporters as [Learner];
    await app.grant(reporter, 'admin');
    expect(await listAppeals(reporter)).toMatchObject([{ sanctionId, isReporter: true }]);
    const refused = await answerAppeal(reporter, sanctionId, 'upheld');
    expect(refused.json()).toMatchObject({ error: 'caseOfReporter' });
    expect(await listAppeals(moderator)).toMatchObject([{ isOwnDecision: false }]);
    expect((await answerAppeal(moderator, sanctionId, 'lifted')).statusCode).toBe(200);
  });

  it('is answered by the deciding moderator while every other one is suspended', async () => {
    await sql`update users set role = 'member'`.execute(app.database);
    const { moderator, sanctionId } = await appealedCase();
    const other = await newModerator(app);
    expect(await listAppeals(moderator)).toMatchObject([{ isOwnDecision: true }]);
    await sql`
      insert into sanction (user_id, kind, reason, imposed_at, changed_at)
      values (${other.userId}, 'ban', 'Insults', now(), now())`.execute(app.database);
    await app.runJob('sanctions');
    expect((await answerAppeal(moderator, sanctionId, 'upheld')).statusCode).toBe(200);
  });

  it('costs as many queries as twenty', async () => {
    const moderator = await newModerator(app);
    const count = async () => {
      app.queries.splice(0);
      await listAppeals(moderator);
      // Queries for roles: the caller's, those of the appealing, and of possible answerers.
      return app.queries.filter((text) => text.includes('role')).length;
    };
    await appealedCase();
    const alone = await count();
    await sql`
      insert into sanction (user_id, kind, reason, decided_by, imposed_at, appeal_text, appealed_at, changed_at)
      select user_id, kind, reason, ${moderator.userId}, imposed_at, appeal_text, appealed_at, changed_at
      from sanction, generate_series(1, 19)`.execute(app.database);
    expect(await count()).toBe(alone);
    expect(await listAppeals(moderator)).toHaveLength(20);
  });

  it('is answered by the deciding moderator if there is no other', async () => {
    await sql`update users set role = 'member'`.execute(app.database);
    const { moderator, sanctionId } = await appealedCase();
    expect(await listAppeals(moderator)).toMatchObject([{ isOwnDecision: false }]);
    expect((await answerAppeal(moderator, sanctionId, 'upheld')).statusCode).toBe(200);
  });

  it('that is granted opens the account again', async () => {
    const { sanctionId, reported } = await appealedCase();
    await answerAppeal(await newModerator(app), sanctionId, 'lifted');
    await vi.waitFor(async () => {
      const answer = await app.inject({ url: '/api/blocks', headers: reported.headers });
      expect(answer.statusCode).toBe(200);
    });
  });

  it('is answered once, also by two at once', async () => {
    const { sanctionId } = await appealedCase();
    const [one, two] = [await newModerator(app), await newModerator(app)];
    const answers = await Promise.all([
      answerAppeal(one, sanctionId, 'upheld'),
      answerAppeal(two, sanctionId, 'lifted'),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
    const late = answers.find(({ statusCode }) => statusCode === 409);
    expect(late?.json()).toMatchObject({ error: 'appealAnswered' });
  });

  it('is nothing that its own person answers, sees or lifts', async () => {
    const { sanctionId, reported } = await appealedCase();
    await sql`update sanction set kind = 'warn', ends_at = imposed_at`.execute(app.database);
    await app.runJob('sanctions');
    await app.grant(reported, 'admin');
    await vi.waitFor(async () => expect(await listAppeals(reported)).toEqual([]));
    for (const answer of [
      await answerAppeal(reported, sanctionId, 'lifted'),
      await post(`sanctions/${sanctionId}/lift`, reported),
    ]) {
      expect(answer.json()).toMatchObject({ error: 'sanctionNotFound' });
    }
    const moderator = await newModerator(app);
    expect(await listAppeals(moderator)).toEqual([]);
    expect((await answerAppeal(moderator, sanctionId, 'lifted')).json()).toMatchObject({
      error: 'caseNeedsAdmin',
    });
  });
});

describe('a sanction', () => {
  it('is lifted by a moderator, once', async () => {
    const { moderator, caseId, reported } = await claimedCase();
    const decided = await decide(moderator, caseId, { decision: 'ban', reason: 'Insults' });
    const [sanction] = decided.json<CaseDetail>().sanctions;
    const lift = () => post(`sanctions/${sanction?.sanctionId}/lift`, moderator);
    expect((await lift()).json<{ sanctions: PersonSanction[] }>().sanctions).toMatchObject([
      { kind: 'ban', liftedAtMs: expect.any(Number) },
    ]);
    expect((await lift()).json()).toMatchObject({ error: 'sanctionNotFound' });
    await vi.waitFor(async () => {
      const answer = await app.inject({ url: '/api/blocks', headers: reported.headers });
      expect(answer.statusCode).toBe(200);
    });
  });
});
