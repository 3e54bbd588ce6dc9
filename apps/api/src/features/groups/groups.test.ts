import {
  DAY_MS,
  errors,
  GROUPS,
  type Group,
  type GroupId,
  type GroupPlan,
  getGroup,
  groupWeekMs,
  HOUR_MS,
  type Notice,
  type OwnGroup,
  type RoomId,
  type SanctionKind,
  type UserId,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { untilLocked } from '../../../test/lock-waits.ts';
import { statusAndBody } from '../../../test/status-and-body.ts';
import type { Received } from '../../../test/stomp-client.ts';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { createInProcessBackplane } from '../../platform/backplane/index.ts';

/** Two processes of one site. */
const backplane = createInProcessBackplane();
const { app, clients } = await openTestSite({ backplane, emptied: ['study_group'] });
const { app: second } = await openTestSite({ backplane, besides: app });

const ask = statusAndBody(app, '/api');
const refused = (name: keyof typeof errors) => ({
  status: errors[name].status,
  body: { error: name },
});
const join = (learner: Learner, groupId: GroupId, invitation?: string, process = app) =>
  ask(
    learner,
    'POST',
    `groups/${groupId}/members`,
    { agrees: true, ...(invitation && { invitation }) },
    process,
  );
const read = async (learner: Learner, groupId: GroupId): Promise<Group> =>
  (await ask(learner, 'GET', `groups/${groupId}`)).body;
const own = async (learner: Learner): Promise<OwnGroup[]> =>
  (await ask(learner, 'GET', 'groups')).body.groups;
const leave = (learner: Learner, groupId: GroupId) =>
  ask(learner, 'DELETE', `groups/${groupId}/membership`);
const lead = (leader: Learner, groupId: GroupId, member: Learner, body: object) =>
  ask(leader, 'PUT', `groups/${groupId}/members/${member.userId}/leader`, body);
const answer = (leader: Learner, groupId: GroupId, asker: Learner, isAccepted: boolean) =>
  ask(leader, 'PUT', `groups/${groupId}/requests/${asker.userId}`, { isAccepted });
const remove = (leader: Learner, groupId: GroupId, member: Learner) =>
  ask(leader, 'DELETE', `groups/${groupId}/members/${member.userId}`);
const nudge = (from: Learner, groupId: GroupId, to: Learner) =>
  ask(from, 'POST', `groups/${groupId}/members/${to.userId}/nudge`);
const enter = (learner: Learner, roomId: RoomId) =>
  ask(learner, 'POST', `study-rooms/enter?userId=${learner.userId}&roomId=${roomId}`);
const block = (blocker: Learner, blocked: Learner) =>
  ask(blocker, 'PUT', `blocks/${blocked.userId}`);
/** In the order of their ids, like members that joined at the same moment. */
const newLearners = async (count: number) => {
  const learners = await Promise.all(Array.from({ length: count }, () => app.newLearner()));
  return learners.toSorted((one, other) => one.userId - other.userId) as [
    Learner,
    Learner,
    Learner,
    Learner,
  ];
};
/** A group of a leader and members. */
async function groupOf(
  [leader, ...members]: readonly [Learner, ...Learner[]],
  plan: Partial<GroupPlan> = {},
) {
  const groupId = await app.openGroup(leader, plan);
  const { invitation } = await read(leader, groupId);
  for (const member of members) {
    await join(member, groupId, invitation ?? undefined);
    if (plan.needsApproval) await answer(leader, groupId, member, true);
  }
  const { roomId } = await read(leader, groupId);
  return { groupId, roomId, invitation: invitation ?? '' };
}
const idsOf = (group: Group) => group.people.map(({ userId }) => userId);
const leadersOf = (group: Group) =>
  group.people.filter(({ isLeader }) => isLeader).map(({ userId }) => userId);
const isSeated = async ({ userId }: Learner) => {
  const { rows } = await sql`select from seat where user_id = ${userId}`.execute(app.database);
  return rows.length > 0;
};
const sanction = async ({ userId }: Learner, kind: SanctionKind) => {
  const now = app.clock.now();
  const endsAt = kind === 'ban' ? null : new Date(now.getTime() + DAY_MS);
  await sql`
    insert into sanction (user_id, kind, reason, imposed_at, ends_at, changed_at)
    values (${userId}, ${kind}, 'noise', ${now}, ${endsAt}, ${now})`.execute(app.database);
  await app.runJob('sanctions');
};
const liftSanctions = async ({ userId }: Learner) => {
  const now = app.clock.now();
  await sql`
    update sanction set lifted_at = ${now}, changed_at = ${now}
    where user_id = ${userId}`.execute(app.database);
  await app.runJob('sanctions');
};
/** Plans the deletion of an account, or takes it back. */
const planDeletion = ({ userId }: Learner, deletesAt: 'infinity' | null = 'infinity') =>
  sql`update users set deletes_at = ${deletesAt} where id = ${userId}`.execute(app.database);
const noticesOf = (received: readonly Received[]) => received.map(({ body }) => body as Notice);

describe('making a group', () => {
  it('stores its choices, with the maker as leader and a room that stays', async () => {
    const [leader] = await newLearners(1);
    const groupId = await app.openGroup(leader, {
      name: '  토익   ９００ ',
      goal: '하루 두 장',
      category: 'language',
      examDay: '2027-11-18',
      weekGoalMinutes: 600,
      hasRanks: true,
    });
    const group = await read(leader, groupId);
    expect(group).toMatchObject({
      ...{ groupId, name: '토익 900', goal: '하루 두 장', category: 'language', members: 1 },
      ...{ examDay: '2027-11-18', weekGoalMinutes: 600, hasRanks: true, notice: '', hidden: 0 },
      own: { isLeader: true, refusesNudges: false, calendar: null },
    });
    expect(group.people).toMatchObject([
      { userId: leader.userId, nickname: leader.nickname, isLeader: true, state: 'absent' },
    ]);
    expect(await own(leader)).toMatchObject([{ groupId, isLeader: true, waiting: 0 }]);
  });

  it.each([
    ['a name of nothing', { name: '\u3164 \u200b' }, 'groupTextMalformed'],
    ['a long name', { name: 'a'.repeat(31) }, 'groupTextMalformed'],
    ['a long goal', { goal: 'a'.repeat(61) }, 'groupTextMalformed'],
    ['a zone that does not exist', { timeZone: 'Mars/Base' }, 'unknownTimeZone'],
    ['a day that does not exist', { examDay: '2027-02-30' }, 'invalidRequest'],
    ['a rule without days', { rule: { days: [] } }, 'invalidRequest'],
  ] as const)('refuses %s', async (_what, changes, error) => {
    const [leader] = await newLearners(1);
    const plan = { ...(await planOf(leader)), ...changes };
    expect(await ask(leader, 'POST', 'groups', plan)).toMatchObject(refused(error));
  });

  it('is refused beyond the limits of a learner', async () => {
    const [leader] = await newLearners(1);
    const plan = await planOf(leader);
    for (let led = 1; led < GROUPS.ledMax; led += 1) await app.openGroup(leader);
    expect(await ask(leader, 'POST', 'groups', plan)).toMatchObject(refused('tooManyGroups'));
  });

  it('is refused to a muted learner, who may not write notices either', async () => {
    const [leader] = await newLearners(1);
    const plan = await planOf(leader);
    const [{ groupId }] = (await own(leader)) as [OwnGroup];
    await sanction(leader, 'muteChat');
    expect(await ask(leader, 'POST', 'groups', plan)).toMatchObject(refused('textMuted'));
    expect(await ask(leader, 'PUT', `groups/${groupId}`, plan)).toMatchObject(refused('textMuted'));
    const notice = (text: string) => ask(leader, 'PUT', `groups/${groupId}/notice`, { text });
    expect(await notice('hello')).toMatchObject(refused('textMuted'));
    expect(await notice('')).toMatchObject({ status: 200 });
  });

  /** The plan of a group of the learner, as a request. */
  async function planOf(leader: Learner) {
    const group = await read(leader, await app.openGroup(leader));
    const { name, goal, category, examDay, rule, weekGoalMinutes, isListed } = group;
    const { needsApproval, hasRanks, timeZone, dayStartMinutes } = group;
    return {
      ...{ name, goal, category, examDay, rule, weekGoalMinutes, isListed, needsApproval },
      ...{ hasRanks, timeZone, dayStartMinutes },
    };
  }
});

describe('finding a group', () => {
  const list = async (learner: Learner, query = '') =>
    (await ask(learner, 'GET', `groups/listed${query}`)).body as {
      groups: OwnGroup[];
      total: number;
    };

  it('lists listed ones by category and text, with most members in focus first', async () => {
    const [leader, other] = await newLearners(2);
    const quiet = await app.openGroup(leader, { name: '자격증 100%', category: 'certificate' });
    const busy = await groupOf([leader], { name: '토익', goal: '매일', category: 'language' });
    await app.openGroup(leader, { name: 'hidden', isListed: false });
    await enter(leader, busy.roomId);
    // The leader of both focuses: equal, the newer one comes first.
    expect((await list(other)).groups.map(({ groupId }) => groupId)).toEqual([busy.groupId, quiet]);
    expect((await list(other)).total).toBe(2);
    expect((await list(other, '?category=certificate')).groups).toMatchObject([
      { groupId: quiet, focusing: 1, members: 1 },
    ]);
    expect((await list(other, '?text=100%25')).groups).toMatchObject([{ groupId: quiet }]);
    expect((await list(other, '?text=%EB%A7%A4%EC%9D%BC')).groups).toMatchObject([
      { groupId: busy.groupId },
    ]);
    expect((await list(other, '?page=2')).groups).toEqual([]);
    await app.leave(leader);
  });

  it('shows a group that is not listed to those with its link alone', async () => {
    const [leader, other] = await newLearners(2);
    const { groupId, invitation } = await groupOf([leader], { isListed: false });
    const card = () => ask(other, 'GET', `groups/${groupId}/card`);
    expect(await card()).toMatchObject(refused('groupNotFound'));
    const byLink = (token: string) =>
      ask(other, 'POST', 'group-invitations', { invitation: token });
    expect((await byLink(invitation)).body).toMatchObject({
      standing: 'none',
      group: { groupId, members: 1 },
    });
    expect((await byLink(invitation)).body.group).not.toHaveProperty('notice');
    expect(await join(other, groupId)).toMatchObject(refused('groupNotFound'));
    const renewed = await ask(leader, 'POST', `groups/${groupId}/invitation`);
    expect(await byLink(invitation)).toMatchObject(refused('groupInvitationEnded'));
    expect(await join(other, groupId, invitation)).toMatchObject(refused('groupInvitationEnded'));
    expect(await join(other, groupId, renewed.body.invitation)).toMatchObject({
      body: { standing: 'member' },
    });
    expect((await card()).body).toMatchObject({ standing: 'member' });
  });

  it('hides groups with a block between the learner and a leader', async () => {
    const [leader, other] = await newLearners(2);
    const { groupId } = await groupOf([leader]);
    await block(leader, other);
    expect((await list(other)).groups).toEqual([]);
    expect(await join(other, groupId)).toMatchObject(refused('blockedPersonInGroup'));
    const card = await ask(other, 'GET', `groups/${groupId}/card`);
    expect(card).toMatchObject(refused('groupNotFound'));
  });

  it('does not show in the order of the list that a hidden member focuses', async () => {
    const [leader, hidden, reader] = await newLearners(3);
    const { groupId } = await groupOf([leader, hidden]);
    const { groupId: newer } = await groupOf([leader]);
    await block(hidden, reader);
    await app.seat(hidden);
    const order = async (learner: Learner) =>
      (await list(learner)).groups.map((group) => group.groupId);
    expect(await order(leader)).toEqual([groupId, newer]);
    expect(await order(reader)).toEqual([newer, groupId]);
  });
});

describe('joining', () => {
  it('needs the consent to be seen', async () => {
    const [leader, other] = await newLearners(2);
    const { groupId } = await groupOf([leader]);
    expect(await ask(other, 'POST', `groups/${groupId}/members`, {})).toMatchObject(
      refused('invalidRequest'),
    );
    expect(await ask(other, 'GET', `groups/${groupId}`)).toMatchObject(refused('groupMembersOnly'));
    expect(await join(other, groupId)).toMatchObject({ body: { standing: 'member' } });
    expect(await join(other, groupId)).toMatchObject({ body: { standing: 'member' } });
    expect(idsOf(await read(other, groupId))).toEqual([leader.userId, other.userId]);
  });

  it('asks a leader where one decides, who is told and answers', async () => {
    const [leader, asker, other] = await newLearners(3);
    const { groupId } = await groupOf([leader], { needsApproval: true });
    const client = await clients.connectAs(app, leader);
    const notices = await client.subscribe('/user/queue/notices');
    const ownNotices = await (await clients.connectAs(app, asker)).subscribe('/user/queue/notices');
    const changes = () => noticesOf(ownNotices).filter(({ kind }) => kind === 'changed').length;
    expect((await join(asker, groupId)).body).toEqual({ standing: 'waiting' });
    await vi.waitFor(() => expect(changes()).toBe(1));
    expect((await join(asker, groupId)).body).toEqual({ standing: 'waiting' });
    await vi.waitFor(() =>
      expect(noticesOf(notices)).toContainEqual({ kind: 'changed', what: 'groups' }),
    );
    await join(other, groupId);
    const requests = () => ask(leader, 'GET', `groups/${groupId}/requests`);
    expect((await requests()).body.askers).toMatchObject([
      { userId: asker.userId, nickname: asker.nickname },
      { userId: other.userId },
    ]);
    expect(await own(leader)).toMatchObject([{ waiting: 2 }]);
    expect(await ask(asker, 'GET', `groups/${groupId}/requests`)).toMatchObject(
      refused('groupMembersOnly'),
    );
    await answer(leader, groupId, asker, true);
    expect(idsOf(await read(asker, groupId))).toContain(asker.userId);
    expect(await ask(asker, 'GET', `groups/${groupId}/requests`)).toMatchObject(
      refused('groupLeadersOnly'),
    );
    await ask(other, 'DELETE', `groups/${groupId}/request`);
    expect((await requests()).body.askers).toEqual([]);
    expect(await answer(leader, groupId, other, true)).toMatchObject(refused('groupRequestEnded'));
  });

  it('is no longer asked for once the request is withdrawn, which other tabs read', async () => {
    const [leader, asker] = await newLearners(2);
    const { groupId } = await groupOf([leader], { needsApproval: true });
    await join(asker, groupId);
    const client = await clients.connectAs(app, asker);
    const notices = await client.subscribe('/user/queue/notices');
    await ask(asker, 'DELETE', `groups/${groupId}/request`);
    await vi.waitFor(() =>
      expect(noticesOf(notices)).toContainEqual({ kind: 'changed', what: 'groups' }),
    );
    expect(await own(leader)).toMatchObject([{ waiting: 0 }]);
  });

  it('is kept from a learner with a block to any leader, also if another one answers', async () => {
    const [leader, second, asker] = await newLearners(3);
    const { groupId } = await groupOf([leader, second], { needsApproval: true });
    await lead(leader, groupId, second, { isLeader: true });
    await join(asker, groupId);
    expect(await own(second)).toMatchObject([{ waiting: 1 }]);
    await block(leader, asker);
    expect(await answer(second, groupId, asker, true)).toMatchObject(refused('groupRequestEnded'));
    for (const each of [leader, second]) {
      const { body } = await ask(each, 'GET', `groups/${groupId}/requests`);
      expect(body.askers).toEqual([]);
      expect(await own(each)).toMatchObject([{ waiting: 0 }]);
      expect(await read(each, groupId)).toMatchObject({ waiting: 0 });
    }
  });

  it('is possible beside any number of requests that no leader sees', async () => {
    const [leader, asker] = await newLearners(2);
    const { groupId } = await groupOf([leader], { needsApproval: true });
    const hidden = await Promise.all(
      Array.from({ length: GROUPS.requestsMax }, () => app.newLearner()),
    );
    await Promise.all(hidden.map((learner) => join(learner, groupId)));
    expect(await join(asker, groupId)).toMatchObject(refused('tooManyGroupRequests'));
    await Promise.all(hidden.map((learner) => block(learner, leader)));
    expect((await join(asker, groupId)).body).toEqual({ standing: 'waiting' });
  });

  it('may be asked for again a week after a leader has declined', async () => {
    const [leader, asker] = await newLearners(2);
    const { groupId } = await groupOf([leader], { needsApproval: true });
    await join(asker, groupId);
    await answer(leader, groupId, asker, false);
    expect(await join(asker, groupId)).toMatchObject(refused('groupDeclined'));
    app.clock.advance(GROUPS.declinedDays * DAY_MS + 1);
    const [again, leading] = [await app.renew(asker), await app.renew(leader)];
    expect((await join(again, groupId)).body).toEqual({ standing: 'waiting' });
    app.clock.advance(GROUPS.requestDays * DAY_MS + 1);
    await app.runJob('old group data');
    expect(await own(await app.renew(leading))).toMatchObject([{ waiting: 0 }]);
  });

  it('gives the fiftieth place to one of two at two processes, and those of leaving members to others', async () => {
    const [leader, one, two] = await newLearners(3);
    const { groupId } = await groupOf([leader]);
    await sql`
      with added as (
        insert into users (email, nickname, password_hash, introduction, profile_image, social_provider)
        select gen_random_uuid() || '@many', 'm' || gen_random_uuid()::text, '', '', '', 'LOCAL'
        from generate_series(1, ${GROUPS.membersMax - 2}::integer) returning id
      )
      insert into group_member (group_id, user_id, is_leader, joined_at, joined_day)
      select ${groupId}, id, false, now(), '2026-01-01' from added`.execute(app.database);
    const leaving = (deletesAt: string | null) =>
      sql`update users set deletes_at = ${deletesAt} where nickname like 'm%-%'`.execute(
        app.database,
      );
    second.clock.advance(app.clock.now().getTime() - second.clock.now().getTime());
    const outcomes = await Promise.all([join(one, groupId), join(two, groupId, undefined, second)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(outcomes.find(({ status }) => status === 409)?.body.error).toBe('groupFull');
    // Members who are deleting their accounts make room, one for each who comes.
    const three = await app.newLearner();
    await leaving('infinity');
    expect((await join(three, groupId)).body).toEqual({ standing: 'member' });
    // A request takes no place of theirs yet.
    await sql`update study_group set needs_approval = true where id = ${groupId}`.execute(
      app.database,
    );
    const four = await app.newLearner();
    expect((await join(four, groupId)).body).toEqual({ standing: 'waiting' });
    await leaving(null);
    expect((await own(leader))[0]).toMatchObject({ members: GROUPS.membersMax });
    expect(await answer(leader, groupId, four, true)).toMatchObject(refused('groupFull'));
    await leaving('infinity');
    expect((await answer(leader, groupId, four, true)).status).toBe(200);
    await leaving(null);
    expect((await own(leader))[0]).toMatchObject({ members: GROUPS.membersMax });
  });

  it('is refused in more groups than a learner may have, also at once', async () => {
    const [leader, other, third] = await newLearners(3);
    const groups = await Promise.all(
      [leader, leader, leader, leader, leader, third, third, third, third, third].map((each) =>
        app.openGroup(each),
      ),
    );
    const [last] = await newLearners(1);
    const more = await app.openGroup(last);
    const outcomes = await Promise.all([...groups, more].map((groupId) => join(other, groupId)));
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(GROUPS.perLearnerMax);
    expect(await own(other)).toHaveLength(GROUPS.perLearnerMax);
  });
});

describe('leading', () => {
  it('changes the choices and the notice, for leaders only', async () => {
    const [leader, member] = await newLearners(2);
    const { groupId } = await groupOf([leader, member]);
    const { rule } = await read(leader, groupId);
    const choices = {
      ...{ name: '새 이름', goal: '', category: 'csat', examDay: null, weekGoalMinutes: null },
      ...{
        rule: { ...rule, days: [7, 1, 1] },
        isListed: false,
        needsApproval: true,
        hasRanks: true,
      },
    };
    const edit = (learner: Learner) => ask(learner, 'PUT', `groups/${groupId}`, choices);
    const pin = (learner: Learner, text: string) =>
      ask(learner, 'PUT', `groups/${groupId}/notice`, { text });
    expect(await edit(member)).toMatchObject(refused('groupLeadersOnly'));
    expect(await pin(member, 'hi')).toMatchObject(refused('groupLeadersOnly'));
    expect(await edit(leader)).toMatchObject({ status: 200 });
    expect(await pin(leader, ' 내일은\n쉬어요 ')).toMatchObject({ status: 200 });
    expect(await pin(leader, 'a'.repeat(501))).toMatchObject(refused('groupTextMalformed'));
    expect(await read(member, groupId)).toMatchObject({
      ...choices,
      rule: { ...rule, days: [1, 7] },
      notice: '내일은\n쉬어요',
      noticeAtMs: app.clock.now().getTime(),
      invitation: null,
    });
  });

  it('is handed over, and never left to nobody', async () => {
    const [leader, member] = await newLearners(2);
    const { groupId } = await groupOf([leader, member]);
    const stepDown = () => lead(leader, groupId, leader, { isLeader: false });
    expect(await stepDown()).toMatchObject(refused('lastLeader'));
    expect(await lead(member, groupId, member, { isLeader: true })).toMatchObject(
      refused('groupLeadersOnly'),
    );
    await lead(leader, groupId, member, { isLeader: true });
    expect(leadersOf(await read(member, groupId))).toEqual([leader.userId, member.userId]);
    expect(await lead(leader, groupId, member, { isLeader: false })).toMatchObject(
      refused('groupMemberNotFound'),
    );
    expect(await remove(leader, groupId, member)).toMatchObject(refused('groupMemberNotFound'));
    await stepDown();
    expect(leadersOf(await read(member, groupId))).toEqual([member.userId]);
    await lead(member, groupId, leader, { isLeader: true, handsOver: true });
    expect(leadersOf(await read(member, groupId))).toEqual([leader.userId]);
  });

  it('is known to a member whom another one made a leader, who gives it back', async () => {
    const [leader, member] = await newLearners(2);
    const { groupId } = await groupOf([leader, member], { name: '토익' });
    const notices = await Promise.all(
      [leader, member].map(async (learner) =>
        (await clients.connectAs(app, learner)).subscribe('/user/queue/notices'),
      ),
    );
    const told = () =>
      notices.map((received) => noticesOf(received).filter(({ kind }) => kind === 'groupLed'));
    const news = ({ nickname }: Learner) => ({
      ...{ kind: 'groupLed', groupId, groupName: '토익', nickname },
    });
    const ledFrom = async (learner: Learner) => (await read(learner, groupId)).own.ledFrom;
    const stepDown = (learner: Learner) => lead(learner, groupId, learner, { isLeader: false });

    await lead(leader, groupId, member, { isLeader: true, handsOver: true });
    await vi.waitFor(() => expect(told()).toEqual([[], [news(leader)]]));
    expect(await ledFrom(member)).toBe(leader.nickname);
    expect(await stepDown(member)).toMatchObject({ status: 200 });
    await vi.waitFor(() => expect(told()).toEqual([[news(member)], [news(leader)]]));
    expect(leadersOf(await read(member, groupId))).toEqual([leader.userId]);
    expect([await ledFrom(leader), await ledFrom(member)]).toEqual([null, null]);
    expect(await stepDown(leader)).toMatchObject(refused('lastLeader'));

    // Two lead: after one steps down, the other does not make them a leader again.
    await lead(leader, groupId, member, { isLeader: true });
    await lead(leader, groupId, member, { isLeader: true });
    await vi.waitFor(() => expect(told()[1]).toHaveLength(2));
    await stepDown(leader);
    expect(await stepDown(member)).toMatchObject(refused('lastLeader'));
    await lead(member, groupId, leader, { isLeader: true, handsOver: true });
    await lead(leader, groupId, member, { isLeader: true, handsOver: true });
    await leave(leader, groupId);
    expect(await ledFrom(member)).toBeNull();
    expect(await stepDown(member)).toMatchObject(refused('lastLeader'));
  });

  it('ends for every tab at once: a leader who hands over appoints nobody after it', async () => {
    const [leader, member, other] = await newLearners(3);
    const { groupId } = await groupOf([leader, member, other]);
    const [locked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = app.database.transaction().execute(async (db) => {
      await sql`select from study_group where id = ${groupId} for update`.execute(db);
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    const handing = lead(leader, groupId, member, { isLeader: true, handsOver: true });
    await untilLocked(app.database, 1);
    const others = [
      lead(leader, groupId, other, { isLeader: true }),
      ask(leader, 'PUT', `groups/${groupId}/notice`, { text: '공지' }),
    ];
    await untilLocked(app.database, 1 + others.length);
    held.resolve();
    await holding;
    expect(await handing).toMatchObject({ status: 200 });
    for (const late of others) expect(await late).toMatchObject(refused('groupLeadersOnly'));
    expect(leadersOf(await read(other, groupId))).toEqual([member.userId]);
  });

  it('is kept by one of two who step down at once', async () => {
    const [leader, member] = await newLearners(2);
    const { groupId } = await groupOf([leader, member]);
    await lead(leader, groupId, member, { isLeader: true });
    const outcomes = await Promise.all([
      lead(leader, groupId, leader, { isLeader: false }),
      lead(member, groupId, member, { isLeader: false }),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it('passes to the member of longest standing, and a group without members ends with its room', async () => {
    const [leader, first, other] = await newLearners(3);
    const { groupId, roomId } = await groupOf([leader, first, other]);
    await leave(leader, groupId);
    expect(leadersOf(await read(other, groupId))).toEqual([first.userId]);
    await leave(first, groupId);
    await enter(other, roomId);
    await leave(other, groupId);
    expect(await isSeated(other)).toBe(false);
    expect(await join(other, groupId)).toMatchObject(refused('groupNotFound'));
    expect(await enter(other, roomId)).toMatchObject(refused('roomClosed'));
  });

  it('passes on when the only leader is deleting the account, who leads again after a change of mind', async () => {
    const [leader, first, other] = await newLearners(3);
    const { groupId } = await groupOf([leader, first, other]);
    const { groupId: alone } = await groupOf([leader]);
    await planDeletion(leader);
    await app.runJob('group leaders');
    expect(await read(other, groupId)).toMatchObject({ leaders: 1 });
    expect(leadersOf(await read(other, groupId))).toEqual([first.userId]);
    const stepDown = () => lead(first, groupId, first, { isLeader: false });
    expect(await stepDown()).toMatchObject(refused('lastLeader'));
    expect(await lead(first, groupId, leader, { isLeader: true })).toMatchObject(
      refused('groupMemberNotFound'),
    );
    await planDeletion(leader, null);
    expect(leadersOf(await read(other, groupId))).toEqual([leader.userId, first.userId]);
    expect(await read(leader, alone)).toMatchObject({ members: 1 });
  });

  it('passes on when the only leader is banned, who leads beside the successor once that is lifted', async () => {
    const [leader, first, next, asker] = await newLearners(4);
    const [apart] = await newLearners(1);
    const plan = { needsApproval: true, isListed: true };
    const { groupId } = await groupOf([leader, first, next], plan);
    await join(asker, groupId);
    await block(apart, leader);
    // A successor who is away for a day would let the request wait, too.
    await sanction(first, 'suspend');
    await sanction(leader, 'ban');
    await app.runJob('group leaders');
    expect(await answer(next, groupId, asker, true)).toMatchObject({ status: 200 });
    const stepDown = () => lead(next, groupId, next, { isLeader: false });
    expect(await stepDown()).toMatchObject(refused('lastLeader'));
    expect(await read(next, groupId)).toMatchObject({ leaders: 1 });
    // A block of the banned leader keeps nobody out.
    await join(apart, groupId);
    expect(await answer(next, groupId, apart, true)).toMatchObject({ status: 200 });
    await liftSanctions(leader);
    expect(leadersOf(await read(asker, groupId))).toEqual([leader.userId, next.userId]);
    expect(await stepDown()).toMatchObject({ status: 200 });
  });

  it('stays with a leader who is suspended for a time; the list leaves out a group that nobody leads, or whose entry waits for its leader', async () => {
    const [leader, first, other] = await newLearners(3);
    const asking = await groupOf([leader, first], { needsApproval: true, isListed: true });
    const open = await groupOf([leader, first], { needsApproval: false, isListed: true });
    const listed = async () => {
      const { body } = await ask(other, 'GET', 'groups/listed');
      const ids: GroupId[] = body.groups.map(({ groupId }: Group) => groupId);
      return [asking, open].map(({ groupId }) => ids.includes(groupId));
    };
    expect(await listed()).toEqual([true, true]);
    await sanction(leader, 'suspend');
    await app.runJob('group leaders');
    expect(await listed()).toEqual([false, true]);
    await leave(first, open.groupId);
    expect(leadersOf(await read(first, asking.groupId))).toEqual([leader.userId]);
    await liftSanctions(leader);
    expect(await listed()).toEqual([true, true]);
    // Alone in the open group.
    await sanction(leader, 'ban');
    expect(await listed()).toEqual([false, false]);
    await liftSanctions(leader);
    await planDeletion(leader);
    expect(await listed()).toEqual([false, false]);
  });

  it('takes no change of a leader who is banned while it waits', async () => {
    const [leader] = await newLearners(1);
    const { groupId } = await groupOf([leader]);
    const before = await read(leader, groupId);
    let edited: ReturnType<typeof ask> | undefined;
    await app.database.transaction().execute(async (transaction) => {
      await sql`select from study_group where id = ${groupId} for update`.execute(transaction);
      edited = ask(leader, 'PUT', `groups/${groupId}`, { ...before, name: 'slur' });
      await untilLocked(app.database, 1, 'study_group');
      await sanction(leader, 'ban');
    });
    expect(await edited).toMatchObject(refused('groupLeadersOnly'));
    await liftSanctions(leader);
    expect(await read(leader, groupId)).toMatchObject({ name: before.name });
  });

  it('passes on when the account of the only leader is deleted', async () => {
    const [leader, first, other] = await newLearners(3);
    const { groupId } = await groupOf([leader, first, other]);
    const { groupId: emptied, roomId } = await groupOf([leader]);
    await sql`delete from users where id = ${leader.userId}`.execute(app.database);
    await app.runJob('group leaders');
    expect(leadersOf(await read(other, groupId))).toEqual([first.userId]);
    expect(await join(other, emptied)).toMatchObject(refused('groupNotFound'));
    expect(await enter(other, roomId)).toMatchObject(refused('roomClosed'));
  });
});

describe('the room of a group', () => {
  it('is entered by members only, and by nobody by chance', async () => {
    const [leader, member, stranger] = await newLearners(3);
    const { roomId } = await groupOf([leader, member]);
    expect(await enter(stranger, roomId)).toMatchObject(refused('roomOfGroup'));
    const admission = (learner: Learner) => ask(learner, 'GET', `study-rooms/${roomId}/admission`);
    expect(await admission(stranger)).toMatchObject(refused('roomOfGroup'));
    expect((await admission(member)).body).toMatchObject({
      status: 'admitted',
      room: { isGroup: true, isPublic: false },
    });
    expect(await enter(member, roomId)).toMatchObject({ status: 200 });
    expect(await app.seat(stranger)).not.toBe(roomId);
    expect((await ask(stranger, 'GET', 'hosted-rooms')).body.rooms).toEqual([]);
    await app.leave(member);
    await app.leave(stranger);
  });

  it('stays however long it is empty', async () => {
    const [leader] = await newLearners(1);
    const { roomId } = await groupOf([leader]);
    await app.runJob('hosted rooms');
    app.clock.advance(DAY_MS);
    await app.runJob('hosted rooms');
    await app.runJob('hosted rooms');
    expect(await enter(await app.renew(leader), roomId)).toMatchObject({ status: 200 });
    await app.leave(await app.renew(leader));
  });

  it('has the leader as its host who has sat there longest, while one is there', async () => {
    const [leader, member, other] = await newLearners(3);
    const { groupId, roomId } = await groupOf([leader, member, other]);
    await lead(leader, groupId, other, { isLeader: true });
    const hosts = () => ask(leader, 'GET', `study-rooms/${roomId}/hosting`);
    const hostId = async () => {
      await app.runJob('group hosts');
      const { rows } = await sql<{ hostId: UserId | null }>`
        select host_id as "hostId" from hosted_room where room_id = ${roomId}`.execute(
        app.database,
      );
      return rows[0]?.hostId;
    };
    await enter(member, roomId);
    expect(await hostId()).toBeNull();
    await enter(leader, roomId);
    app.clock.advance(1_000);
    await enter(other, roomId);
    expect(await hostId()).toBe(leader.userId);
    expect(await hosts()).toMatchObject({ status: 200 });
    const guest = `study-rooms/${roomId}/guests/${member.userId}`;
    expect(await ask(leader, 'DELETE', guest)).toMatchObject({ status: 200 });
    expect(await isSeated(member)).toBe(false);
    // The members of a group are removed by its leaders, in the group.
    expect(await enter(member, roomId)).toMatchObject({ status: 200 });
    const handOver = { newHostId: member.userId };
    expect(await ask(leader, 'POST', `study-rooms/${roomId}/host`, handOver)).toMatchObject(
      refused('notHost'),
    );
    expect(await ask(leader, 'DELETE', `hosted-rooms/${roomId}`)).toMatchObject(refused('notHost'));
    await app.leave(leader);
    expect(await hostId()).toBe(other.userId);
    await app.leave(other);
    expect(await hostId()).toBeNull();
    await app.leave(member);
  });

  it('loses a member who leaves or is removed, and takes them back when they join again', async () => {
    const [leader, member, other] = await newLearners(3);
    const { groupId, roomId } = await groupOf([leader, member, other]);
    await enter(member, roomId);
    await enter(other, roomId);
    const client = await clients.connectAs(app, other);
    const notices = await client.subscribe('/user/queue/notices');
    const left = await (await clients.connectAs(app, member)).subscribe('/user/queue/notices');
    // As an older release would have let them in.
    await sql`
      insert into room_guest values (${other.userId}, ${roomId}, 'admitted', now(), now())`.execute(
      app.database,
    );
    await leave(member, groupId);
    await vi.waitFor(() =>
      expect(noticesOf(left)).toContainEqual({ kind: 'changed', what: 'groups' }),
    );
    await remove(leader, groupId, other);
    expect([await isSeated(member), await isSeated(other)]).toEqual([false, false]);
    await vi.waitFor(() =>
      expect(noticesOf(notices)).toContainEqual({ kind: 'seatLost', roomId, reason: 'removed' }),
    );
    expect(await enter(other, roomId)).toMatchObject(refused('roomOfGroup'));
    expect(await join(other, groupId)).toMatchObject(refused('groupDeclined'));
    await sql`update group_request set declined_at = declined_at - interval '7 days'`.execute(
      app.database,
    );
    await join(other, groupId);
    expect(await enter(other, roomId)).toMatchObject({ status: 200 });
    await app.leave(other);
    await app.runJob('hosted rooms');
    const { rows } = await sql`
      select kept_out as "keptOut" from study_room where id = ${roomId}`.execute(app.database);
    expect(rows).toEqual([{ keptOut: [] }]);
  });
});

describe('the page of a group', () => {
  it('shows the live state of members in any room, and their time', async () => {
    const [leader, member, other, absent] = await newLearners(4);
    const { groupId, roomId } = await groupOf([leader, member, other, absent]);
    await enter(leader, roomId);
    const elsewhere = await app.seat(member);
    await enter(other, roomId);
    app.clock.advance(60_000);
    await app.move(member, 'pause', elsewhere);
    await app.move(other, 'away', roomId);
    const { people, focusing } = await read(leader, groupId);
    expect(people).toMatchObject([
      { state: 'focus', isInRoom: true, todayMs: 0, runningSinceMs: expect.any(Number) },
      { state: 'pause', isInRoom: false, todayMs: 60_000, weekMs: 60_000, runningSinceMs: null },
      { state: 'away', isInRoom: true, todayMs: 60_000 },
      { state: 'absent', isInRoom: false, todayMs: 0 },
    ]);
    expect(focusing).toBe(1);
    for (const learner of [leader, member, other]) await app.leave(learner);
    const { totalMs } = await read(leader, groupId);
    expect(totalMs).toBe(3 * 60_000);
  });

  it('counts members in focus by the phase of the schedule that they follow, before it is stored', async () => {
    const [leader, member] = await newLearners(2);
    const { groupId } = await groupOf([leader, member]);
    const roomId = await app.seat(member);
    const body = { focusMinutes: 25, breakMinutes: 5 };
    const { schedule } = (await ask(member, 'PUT', `study-rooms/${roomId}/pomodoro`, body)).body;
    const { startedAtMs } = schedule;
    await ask(member, 'PUT', 'timer/schedule', { userId: member.userId, roomId, startedAtMs });
    const counts = async () => {
      const reader = await app.renew(leader);
      const { focusing, people } = await read(reader, groupId);
      const { groups } = (await ask(reader, 'GET', 'groups/listed')).body;
      const listed = groups.find((group: OwnGroup) => group.groupId === groupId);
      return [focusing, listed.focusing, (await own(reader))[0]?.focusing, people[1]?.state];
    };
    for (const [minutes, count, state] of [
      [0, 1, 'focus'],
      [25, 0, 'pause'],
      [5, 1, 'focus'],
      [24, 1, 'focus'],
      [1, 0, 'pause'],
    ] as const) {
      app.clock.advance(minutes * 60_000);
      expect(await counts()).toEqual([count, count, count, state]);
    }
    await app.leave(member);
  });

  it('counts one week for all members with focus that runs, of hidden ones when its day is stored', async () => {
    const [leader, one, two] = await newLearners(3);
    const { groupId } = await groupOf([leader, one, two], { weekGoalMinutes: 60 });
    await block(one, two);
    await app.seat(two);
    app.clock.advance(60_000);
    const weeks = () =>
      Promise.all(
        [leader, one, two].map(async (learner) => {
          const group = await read(learner, groupId);
          return [group.weekMs, groupWeekMs(group, group.serverNowMs + 1_000)];
        }),
      );
    expect(await weeks()).toEqual([
      [60_000, 61_000],
      [0, 0],
      [60_000, 61_000],
    ]);
    // A number that moves would show the state of a learner hidden by a block.
    expect((await read(one, groupId)).focusing).toBe(0);
    expect((await ask(one, 'GET', 'groups')).body.groups[0].focusing).toBe(0);
    await app.leave(two);
    expect(await weeks()).toEqual([
      [60_000, 60_000],
      [0, 0],
      [60_000, 60_000],
    ]);
    const totals = async () => [await read(leader, groupId), await read(one, groupId)];
    expect((await totals()).map(({ totalMs }) => totalMs)).toEqual([60_000, 0]);
  });

  it('keeps its total when members join, leave, are removed and come again', async () => {
    const [leader, one, two] = await newLearners(3);
    const study = async (learner: Learner, seconds: number) => {
      await app.seat(learner);
      app.clock.advance(seconds * 1_000);
      await app.leave(learner);
    };
    await study(leader, 1);
    const { groupId } = await groupOf([leader, two]);
    const total = async () => (await read(leader, groupId)).totalMs / 1_000;
    expect(await total()).toBe(0);
    await study(one, 2);
    await join(one, groupId);
    expect(await total()).toBe(0);
    await study(one, 4);
    await study(two, 8);
    expect(await total()).toBe(12);
    await leave(one, groupId);
    await remove(leader, groupId, two);
    expect(await total()).toBe(12);
    await study(one, 16);
    await join(one, groupId);
    expect(await total()).toBe(12);
    await study(one, 1);
    expect(await total()).toBe(13);
  });

  it('counts focus that runs while its learner joins or leaves from the one moment to the other', async () => {
    const [leader, member] = await newLearners(2);
    const { groupId } = await groupOf([leader]);
    const total = async () => (await read(leader, groupId)).totalMs / 1_000;
    const roomId = await app.seat(member);
    app.clock.advance(20_000);
    await join(member, groupId);
    expect(await total()).toBe(0);
    app.clock.advance(4_000);
    expect(await total()).toBe(4);
    await app.move(member, 'pause', roomId);
    expect(await total()).toBe(4);
    await app.move(member, 'resume', roomId);
    app.clock.advance(2_000);
    await leave(member, groupId);
    expect(await total()).toBe(6);
    app.clock.advance(10_000);
    await join(member, groupId);
    app.clock.advance(1_000);
    await app.leave(member);
    expect(await total()).toBe(7);
    // Days that are stored add the same, and keep the whole day of their member.
    app.clock.advance(DAY_MS + 2 * HOUR_MS);
    await app.runJob('group days');
    const { totalMs, people } = await read(await app.renew(leader), groupId);
    expect(totalMs).toBe(7_000);
    expect(people).toHaveLength(2);
  });

  it('shows nothing of members who are deleting their accounts', async () => {
    const [leader, member, leaving, asker] = await newLearners(4);
    const { groupId } = await groupOf([leader, member, leaving], { needsApproval: true });
    await lead(leader, groupId, leaving, { isLeader: true });
    await join(asker, groupId);
    await nudge(leaving, groupId, member);
    const plan = { days: [1, 2, 3, 4, 5, 6, 7], fromMinute: 0, untilMinute: 0 };
    const { sessionId } = (await ask(leader, 'POST', `groups/${groupId}/sessions`, plan)).body;
    const { today } = await read(leader, groupId);
    await ask(leaving, 'PUT', `groups/${groupId}/sessions/${sessionId}/days/${today}`, {
      isComing: true,
    });
    await app.seat(leaving);
    app.clock.advance(60_000);
    await app.leave(leaving);
    await planDeletion(leaving);
    await planDeletion(asker);
    const group = await read(leader, groupId);
    expect(idsOf(group)).toEqual([leader.userId, member.userId]);
    expect(group).toMatchObject({ members: 2, hidden: 0, leaders: 1, waiting: 0, totalMs: 60_000 });
    expect((await own(member))[0]).toMatchObject({ members: 2, nudgedBy: null });
    expect((await ask(leader, 'GET', `groups/${groupId}/requests`)).body.askers).toEqual([]);
    expect(await answer(leader, groupId, asker, true)).toMatchObject(refused('groupRequestEnded'));
    const month = await ask(member, 'GET', `groups/${groupId}/attendance`);
    expect(month.body.rows).toHaveLength(2);
    const [session] = (await ask(member, 'GET', `groups/${groupId}/sessions`)).body.sessions;
    expect(session.next[0].comingIds).toEqual([]);
    expect(await nudge(leader, groupId, leaving)).toMatchObject(refused('groupMemberNotFound'));
  });

  it('takes two queries, and the month one more', async () => {
    const [leader, member] = await newLearners(2);
    const { groupId } = await groupOf([leader, member]);
    app.queries.splice(0);
    await read(leader, groupId);
    await ask(leader, 'GET', `groups/${groupId}/attendance`);
    const onGroups = app.queries.splice(0).filter((text) => text.includes('group_member'));
    expect(onGroups).toHaveLength(3);
  });

  it('hides a blocked pair from each other, and lets a leader remove those who block them', async () => {
    const [leader, one, two, blocker] = await newLearners(4);
    const { groupId } = await groupOf([leader, one, two, blocker]);
    await block(one, two);
    await block(blocker, leader);
    const seen = async (learner: Learner) => {
      const group = await read(learner, groupId);
      return [idsOf(group), group.hidden, group.removable];
    };
    const [l, o, t, b] = [leader, one, two, blocker].map(({ userId }) => userId);
    expect(await seen(one)).toEqual([[l, o, b], 1, 0]);
    expect(await seen(two)).toEqual([[l, t, b], 1, 0]);
    expect(await seen(leader)).toEqual([[l, o, t], 1, 1]);
    const month = await ask(one, 'GET', `groups/${groupId}/attendance`);
    expect(month.body.rows.map(({ userId }: { userId: UserId }) => userId)).toEqual([l, o, b]);
    expect(await nudge(one, groupId, two)).toMatchObject(refused('groupMemberNotFound'));
    const removed = await ask(leader, 'DELETE', `groups/${groupId}/members`);
    expect(removed.body).toEqual({ removed: 1 });
    expect(
      await ask(blocker, 'GET', getGroup.path.slice(5).replace(':groupId', `${groupId}`)),
    ).toMatchObject(refused('groupMembersOnly'));
  });

  it('lets a leader remove those whom they block, but no other leader', async () => {
    const [leader, member, blocked, second] = await newLearners(4);
    const { groupId } = await groupOf([leader, member, blocked, second]);
    await lead(leader, groupId, second, { isLeader: true });
    await block(leader, blocked);
    await block(second, leader);
    expect(await read(leader, groupId)).toMatchObject({ hidden: 2, removable: 1, leaders: 2 });
    const removeHidden = async () =>
      (await ask(leader, 'DELETE', `groups/${groupId}/members`)).body;
    expect(await removeHidden()).toEqual({ removed: 1 });
    expect(await removeHidden()).toEqual({ removed: 0 });
    expect(await read(leader, groupId)).toMatchObject({ hidden: 1, removable: 0, members: 3 });
  });
});

describe('a nudge', () => {
  it('reaches a member who is not here, once a day', async () => {
    const [leader, member, other] = await newLearners(3);
    const { groupId } = await groupOf([leader, member, other], { name: '토익' });
    const client = await clients.connectAs(app, member);
    const notices = await client.subscribe('/user/queue/notices');
    expect((await read(leader, groupId)).people[1]).toMatchObject({ canBeNudged: true });
    const both = await Promise.all([
      nudge(leader, groupId, member),
      nudge(leader, groupId, member),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await vi.waitFor(() =>
      expect(noticesOf(notices).filter(({ kind }) => kind === 'nudge')).toEqual([
        { kind: 'nudge', groupId, groupName: '토익', nickname: leader.nickname },
      ]),
    );
    expect((await read(leader, groupId)).people[1]).toMatchObject({ canBeNudged: false });
    expect(await nudge(other, groupId, member)).toMatchObject({ status: 200 });
    app.clock.advance(DAY_MS);
    expect(await nudge(await app.renew(leader), groupId, member)).toMatchObject({ status: 200 });
  });

  it('of one member reaches another once a day in all groups of both', async () => {
    const [leader, member] = await newLearners(2);
    // Their days begin seven or eight hours apart.
    const { groupId } = await groupOf([leader, member], { timeZone: 'Asia/Seoul' });
    const { groupId: elsewhere } = await groupOf([leader, member], { timeZone: 'Europe/Berlin' });
    const { dayEndsAtMs } = await read(leader, elsewhere);
    app.clock.advance(dayEndsAtMs - HOUR_MS - app.clock.now().getTime());
    const isRefusedElsewhere = async () => {
      const again = await app.renew(leader);
      expect((await read(again, elsewhere)).people[1]).toMatchObject({ canBeNudged: false });
      expect(await nudge(again, elsewhere, member)).toMatchObject(refused('nudgeRefused'));
    };
    expect(await nudge(await app.renew(leader), groupId, member)).toMatchObject({ status: 200 });
    await isRefusedElsewhere();
    // A day of the other group has begun, that of the nudge goes on.
    app.clock.advance(2 * HOUR_MS);
    await isRefusedElsewhere();
    app.clock.advance(DAY_MS);
    expect(await nudge(await app.renew(leader), elsewhere, member)).toMatchObject({ status: 200 });
  });

  it('waits for its learner on the page of the group and in their list, until they enter a room', async () => {
    const [leader, member, other] = await newLearners(3);
    const { groupId, roomId } = await groupOf([leader, member, other]);
    const elsewhere = await app.openGroup(leader);
    await join(member, elsewhere);
    const seen = async (at: Learner) => {
      const learner = await app.renew(at);
      const groups = (await own(learner)).filter(({ nudgedBy }) => nudgedBy !== null);
      return [
        (await read(learner, groupId)).own.nudgedBy,
        ...groups.map((group) => [group.groupId, group.nudgedBy]),
      ];
    };
    expect(await seen(member)).toEqual([null]);
    await nudge(leader, groupId, member);
    app.clock.advance(1_000);
    await nudge(other, groupId, member);
    expect(await seen(member)).toEqual([other.nickname, [groupId, other.nickname]]);
    expect(await seen(leader)).toEqual([null]);
    await block(member, other);
    expect(await seen(member)).toEqual([leader.nickname, [groupId, leader.nickname]]);
    const refuse = (refusesNudges: boolean) =>
      ask(member, 'PUT', `groups/${groupId}/membership`, { refusesNudges });
    await refuse(true);
    expect(await seen(member)).toEqual([null]);
    await refuse(false);
    app.clock.advance(1_000);
    await enter(member, roomId);
    await app.leave(member);
    expect(await seen(member)).toEqual([null]);
  });

  it('waits no longer than the day of the group, and not for one whose sender has left', async () => {
    const [leader, member, other] = await newLearners(3);
    const { groupId } = await groupOf([leader, member, other]);
    const seen = async () => (await read(await app.renew(member), groupId)).own.nudgedBy;
    await nudge(other, groupId, member);
    await leave(other, groupId);
    expect(await seen()).toBeNull();
    await nudge(leader, groupId, member);
    expect(await seen()).toBe(leader.nickname);
    app.clock.advance(DAY_MS);
    expect(await seen()).toBeNull();
  });

  it('is refused to those who are here, who want none, to strangers, and from muted learners', async () => {
    const [leader, member, here, stranger] = await newLearners(4);
    const { groupId, roomId } = await groupOf([leader, member, here]);
    await enter(here, roomId);
    expect(await nudge(leader, groupId, here)).toMatchObject(refused('nudgeRefused'));
    await ask(member, 'PUT', `groups/${groupId}/membership`, { refusesNudges: true });
    expect((await read(member, groupId)).own).toMatchObject({ refusesNudges: true });
    expect((await read(leader, groupId)).people[1]).toMatchObject({ canBeNudged: false });
    expect(await nudge(leader, groupId, member)).toMatchObject(refused('nudgeRefused'));
    expect(await nudge(leader, groupId, stranger)).toMatchObject(refused('groupMemberNotFound'));
    expect(await nudge(leader, groupId, leader)).toMatchObject(refused('groupMemberNotFound'));
    await app.leave(here);
    await sanction(leader, 'muteChat');
    expect(await nudge(leader, groupId, here)).toMatchObject(refused('chatMuted'));
  });
});

describe('a report of a group', () => {
  it('goes to the moderators as one about its leader, with the text of the group', async () => {
    const [leader, reporter] = await newLearners(2);
    const { groupId } = await groupOf([leader], { name: '나쁜 이름', goal: '목표' });
    await ask(leader, 'PUT', `groups/${groupId}/notice`, { text: '공지' });
    const report = (learner: Learner) =>
      ask(learner, 'POST', `groups/${groupId}/reports`, { reason: 'ABUSE', description: '욕설' });
    expect(await report(leader)).toMatchObject(refused('cannotReportYourself'));
    expect(await report(reporter)).toMatchObject({ status: 200 });
    expect(await report(reporter)).toMatchObject(refused('alreadyReported'));
    const { rows } = await sql`
      select reported_id as "reportedId", description, (
        select string_agg(said ->> 'content', '\n') from jsonb_array_elements(messages) as said
      ) as text
      from report join report_case on report_case.id = case_id`.execute(app.database);
    expect(rows).toEqual([
      { reportedId: leader.userId, description: '욕설', text: '나쁜 이름\n목표\n공지' },
    ]);
    const mine = await ask(reporter, 'GET', 'reports/mine');
    expect(mine.body.reports).toMatchObject([{ nickname: '나쁜 이름', state: 'received' }]);
  });

  it('is one about the author of the text, and shows which text is whose', async () => {
    const [leader, author, reporter] = await newLearners(3);
    const plan = { name: '이름', goal: '목표' };
    const { groupId } = await groupOf([leader, author, reporter], plan);
    await lead(leader, groupId, author, { isLeader: true });
    const pin = (by: Learner, text: string) => ask(by, 'PUT', `groups/${groupId}/notice`, { text });
    await pin(author, '나쁜 공지');
    // Neither the same notice nor a change of the goal makes the leader the author of the others.
    await pin(leader, '나쁜 공지');
    await ask(author, 'PUT', `groups/${groupId}`, {
      ...{ ...(await read(author, groupId)), goal: '새 목표', examDay: null },
    });
    const report = (by: Learner, text?: string) =>
      ask(by, 'POST', `groups/${groupId}/reports`, { reason: 'ABUSE', ...(text && { text }) });
    const reportedBy = async ({ userId }: Learner) => {
      const { rows } = await sql<{ reportedId: UserId; texts: unknown }>`
        select reported_id as "reportedId", (
          select json_agg(json_build_array(said -> 'senderId', said -> 'content'))
          from jsonb_array_elements(messages) as said
        ) as texts
        from report join report_case on report_case.id = case_id
        where reporter_id = ${userId} order by report.id`.execute(app.database);
      return rows;
    };
    for (const text of ['notice', 'name']) {
      expect(await report(reporter, text)).toMatchObject({ status: 200 });
    }
    const texts = [
      [leader.userId, '이름'],
      [author.userId, '새 목표'],
      [author.userId, '나쁜 공지'],
    ];
    expect(await reportedBy(reporter)).toEqual([
      { reportedId: author.userId, texts },
      { reportedId: leader.userId, texts },
    ]);
    expect(await report(author, 'goal')).toMatchObject(refused('cannotReportYourself'));
    // They stay the author when they have left: nobody answers for what a former leader wrote.
    await leave(author, groupId);
    const later = await app.newLearner();
    await join(later, groupId);
    expect(await report(later, 'notice')).toMatchObject({ status: 200 });
    expect((await reportedBy(later))[0]?.reportedId).toBe(author.userId);
    // Without their account the leader is the one to answer.
    await sql`delete from users where id = ${author.userId}`.execute(app.database);
    const last = await app.newLearner();
    await join(last, groupId);
    expect(await report(last, 'notice')).toMatchObject({ status: 200 });
    expect((await reportedBy(last))[0]?.reportedId).toBe(leader.userId);
    await pin(leader, '');
    expect(await report(last, 'notice')).toMatchObject(refused('groupNotFound'));
  });

  it('tells no stranger of the notice, and no reporter who wrote a text', async () => {
    const [leader, member, stranger] = await newLearners(3);
    const { groupId } = await groupOf([leader, member], { name: '이름' });
    await ask(leader, 'PUT', `groups/${groupId}/notice`, { text: '공지' });
    const report = (by: Learner) =>
      ask(by, 'POST', `groups/${groupId}/reports`, { reason: 'ABUSE', text: 'notice' });
    expect(await report(stranger)).toMatchObject(refused('groupNotFound'));
    await block(leader, member);
    expect(await report(member)).toMatchObject({ status: 200 });
    const mine = await ask(member, 'GET', 'reports/mine');
    expect(mine.body.reports).toMatchObject([{ nickname: '이름' }]);
  });

  it('is refused for a group that the learner does not see', async () => {
    const [leader, reporter] = await newLearners(2);
    const { groupId } = await groupOf([leader], { isListed: false });
    const report = ask(reporter, 'POST', `groups/${groupId}/reports`, { reason: 'ABUSE' });
    expect(await report).toMatchObject(refused('groupNotFound'));
  });
});
