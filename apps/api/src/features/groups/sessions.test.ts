import {
  DAY_MS,
  GROUPS,
  type GroupId,
  type GroupSession,
  HOUR_MS,
  MINUTE_MS,
  type Notice,
  type OwnGroup,
  type SessionId,
  type SessionPlan,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { statusAndBody } from '../../../test/status-and-body.ts';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { createInProcessBackplane } from '../../platform/backplane/index.ts';
import { calendarText } from './calendar.ts';

const backplane = createInProcessBackplane();
const { app, clients } = await openTestSite({ backplane, emptied: ['study_group'] });
const { app: second } = await openTestSite({ backplane, besides: app });

const ask = statusAndBody(app, '/api/groups');
const everyEvening: SessionPlan = {
  days: [1, 2, 3, 4, 5, 6, 7],
  fromMinute: 21 * 60,
  untilMinute: 23 * 60,
};
const add = async (leader: Learner, groupId: GroupId, plan = everyEvening): Promise<SessionId> =>
  (await ask(leader, 'POST', `${groupId}/sessions`, plan)).body.sessionId;
const list = async (learner: Learner, groupId: GroupId): Promise<GroupSession[]> =>
  (await ask(learner, 'GET', `${groupId}/sessions`)).body.sessions;
const come = (
  learner: Learner,
  groupId: GroupId,
  sessionId: SessionId,
  day: string,
  isComing = true,
) => ask(learner, 'PUT', `${groupId}/sessions/${sessionId}/days/${day}`, { isComing });

/** A group with one session, at 20:00 in Seoul. */
async function withSession() {
  const nowMs = app.clock.now().getTime();
  const seoulMs = (nowMs + 9 * HOUR_MS) % DAY_MS;
  app.clock.advance(DAY_MS + 20 * HOUR_MS - seoulMs);
  second.clock.advance(app.clock.now().getTime() - second.clock.now().getTime());
  const [leader, member] = [
    await app.renew(await app.newLearner()),
    await app.renew(await app.newLearner()),
  ];
  const groupId = await app.openGroup(leader, { name: '토익, 900; \\매일\\' });
  await ask(member, 'POST', `${groupId}/members`, { agrees: true });
  const { roomId } = (await ask(leader, 'GET', `${groupId}`)).body;
  const sessionId = await add(leader, groupId);
  const today = new Date(app.clock.now().getTime() + 9 * HOUR_MS).toISOString().slice(0, 10);
  return { leader, member, groupId, roomId, sessionId, today };
}

describe('a session', () => {
  it('is added and ended by leaders, and shows its days and who comes', async () => {
    const { leader, member, groupId, sessionId, today } = await withSession();
    expect((await ask(member, 'POST', `${groupId}/sessions`, everyEvening)).status).toBe(403);
    expect((await come(member, groupId, sessionId, today)).status).toBe(200);
    await come(leader, groupId, sessionId, today);
    await come(leader, groupId, sessionId, today, false);
    const [session] = await list(leader, groupId);
    expect(session).toMatchObject({ sessionId, ...everyEvening, past: [] });
    expect(session?.next).toHaveLength(GROUPS.sessionDays + 1);
    expect(session?.next[0]).toEqual({
      day: today,
      startsAtMs: app.clock.now().getTime() + HOUR_MS,
      endsAtMs: app.clock.now().getTime() + 3 * HOUR_MS,
      comingIds: [member.userId],
      presentIds: [],
    });
    await ask(leader, 'DELETE', `${groupId}/sessions/${sessionId}`);
    expect(await list(leader, groupId)).toEqual([]);
    expect((await come(member, groupId, sessionId, today)).body.error).toBe('sessionNotFound');
  });

  it('is read in the list of own groups while it is the next, in one statement for all', async () => {
    const { leader, member, groupId, sessionId, today } = await withSession();
    const bare = await app.openGroup(member);
    const nightly = await app.openGroup(member);
    const overnight = { ...everyEvening, fromMinute: 20 * 60 + 30, untilMinute: 60 };
    await add(member, nightly, overnight);
    const own = async (learner: Learner) => {
      const renewed = await app.renew(learner);
      app.queries.splice(0);
      const { groups } = (await ask(renewed, 'GET', '')).body as { groups: OwnGroup[] };
      expect(app.queries.filter((query) => query.includes('study_group'))).toHaveLength(1);
      return new Map(groups.map((group) => [group.groupId, group.nextSession]));
    };
    await come(leader, groupId, sessionId, today);
    await come(member, groupId, sessionId, today);
    const nowMs = app.clock.now().getTime();
    const tonight = {
      ...{ sessionId, day: today, startsAtMs: nowMs + HOUR_MS, endsAtMs: nowMs + 3 * HOUR_MS },
      ...{ coming: 2, isComing: true },
    };
    const before = await own(member);
    expect(before.get(groupId)).toEqual(tonight);
    expect(before.get(bare)).toBeNull();
    await come(member, groupId, sessionId, today, false);
    expect((await own(member)).get(groupId)).toEqual({ ...tonight, coming: 1, isComing: false });
    // Nobody learns by the number that somebody hidden from them comes.
    await app.inject({
      method: 'PUT',
      url: `/api/blocks/${leader.userId}`,
      headers: member.headers,
    });
    expect((await own(member)).get(groupId)).toMatchObject({ coming: 0 });
    // After midnight, the one of the evening before goes on; that of the other group is over.
    app.clock.advance(4.5 * HOUR_MS);
    const after = await own(member);
    expect(after.get(nightly)).toMatchObject({ day: today, startsAtMs: nowMs + HOUR_MS / 2 });
    expect(after.get(groupId)).toMatchObject({ startsAtMs: nowMs + 25 * HOUR_MS, coming: 0 });
  });

  it('refuses days without it, days that are over and far ones, and strangers', async () => {
    const { leader, groupId, today } = await withSession();
    const weekday = new Date(`${today}T00:00:00Z`).getUTCDay() + 1 || 7;
    const sessionId = await add(leader, groupId, { ...everyEvening, days: [weekday] });
    const day = (days: number) =>
      new Date(Date.parse(today) + days * DAY_MS).toISOString().slice(0, 10);
    const outcome = async (when: string) =>
      (await come(leader, groupId, sessionId, when)).body.error ?? 'ok';
    expect(await outcome(day(1))).toBe('ok');
    for (const when of [day(0), day(-6), day(8), '2027-02-30']) {
      expect(await outcome(when)).toBe('sessionNotFound');
    }
    const stranger = await app.renew(await app.newLearner());
    expect((await come(stranger, groupId, sessionId, day(1))).body.error).toBe('groupMembersOnly');
    expect((await ask(stranger, 'GET', `${groupId}/sessions`)).status).toBe(403);
  });

  it('tells the members of an answer only if it is another one', async () => {
    const { leader, member, groupId, sessionId, today } = await withSession();
    const client = await clients.connectAs(app, leader);
    const notices = await client.subscribe('/user/queue/notices');
    const changes = () => notices.filter(({ body }) => (body as Notice).kind === 'changed').length;
    await come(member, groupId, sessionId, today);
    await vi.waitFor(() => expect(changes()).toBe(1));
    await come(member, groupId, sessionId, today);
    await come(member, groupId, sessionId, today, false);
    await vi.waitFor(() => expect(changes()).toBeGreaterThan(1));
    expect(changes()).toBe(2);
  });

  it('is one of ten at most', async () => {
    const { leader, groupId } = await withSession();
    const more = Array.from({ length: GROUPS.sessionsMax }, () =>
      ask(leader, 'POST', `${groupId}/sessions`, everyEvening),
    );
    const outcomes = (await Promise.all(more)).map(({ status }) => status);
    expect(outcomes.filter((status) => status === 200)).toHaveLength(GROUPS.sessionsMax - 1);
    expect(await list(leader, groupId)).toHaveLength(GROUPS.sessionsMax);
  });

  it('is attended by being in the room of the group', async () => {
    const { leader, member, groupId, roomId, sessionId, today } = await withSession();
    await come(leader, groupId, sessionId, today);
    await app.seat(member, roomId);
    await app.seat(leader);
    await app.runJob('group sessions');
    app.clock.advance(HOUR_MS);
    await app.runJob('group sessions');
    await second.runJob('group sessions');
    const during = await list(await app.renew(leader), groupId);
    expect(during[0]?.next[0]).toMatchObject({ presentIds: [member.userId] });
    app.clock.advance(2 * HOUR_MS);
    const [session] = await list(await app.renew(leader), groupId);
    expect(session?.past).toMatchObject([
      { day: today, comingIds: [leader.userId], presentIds: [member.userId] },
    ]);
    await app.leave(await app.renew(member));
    await app.leave(await app.renew(leader));
    app.clock.advance(31 * DAY_MS);
    await app.runJob('old group data');
    const { rows } = await sql`select from group_session_day`.execute(app.database);
    expect(rows).toEqual([]);
  });
});

describe('a reminder', () => {
  it('is sent once to each who comes, by one of two processes', async () => {
    const { leader, member, groupId, sessionId, today } = await withSession();
    const client = await clients.connectAs(second, member);
    const notices = await client.subscribe('/user/queue/notices');
    const others = await clients.connectAs(app, leader);
    const none = await others.subscribe('/user/queue/notices');
    await come(member, groupId, sessionId, today);
    app.clock.advance(49 * MINUTE_MS);
    await app.runJob('group sessions');
    const reminders = (of: typeof notices) =>
      of.map(({ body }) => body as Notice).filter(({ kind }) => kind === 'groupSession');
    app.clock.advance(MINUTE_MS);
    second.clock.advance(app.clock.now().getTime() - second.clock.now().getTime());
    await Promise.all([app.runJob('group sessions'), second.runJob('group sessions')]);
    await vi.waitFor(() => expect(reminders(notices)).toHaveLength(1));
    // Saying so again asks for no second one.
    await come(await app.renew(member), groupId, sessionId, today, false);
    await come(await app.renew(member), groupId, sessionId, today);
    await app.runJob('group sessions');
    const last = (await ask(await app.renew(leader), 'GET', `${groupId}/sessions`)).body.sessions;
    expect(reminders(notices)).toEqual([
      {
        kind: 'groupSession',
        groupId,
        groupName: '토익, 900; \\매일\\',
        startsAtMs: last[0].next[0].startsAtMs,
      },
    ]);
    expect(reminders(none)).toEqual([]);
  });

  it('is not sent once the session has begun', async () => {
    const { leader, member, groupId, sessionId, today } = await withSession();
    const client = await clients.connectAs(app, member);
    const notices = await client.subscribe('/user/queue/notices');
    // Between two runs of the job, and while it runs.
    await come(leader, groupId, sessionId, today);
    app.clock.advance(HOUR_MS);
    await come(await app.renew(member), groupId, sessionId, today);
    await app.runJob('group sessions');
    const { rows } = await sql`
      select user_id from group_session_day where reminded_at is not null`.execute(app.database);
    expect(rows).toEqual([]);
    await vi.waitFor(() =>
      expect(notices.map(({ body }) => body)).toContainEqual({ kind: 'changed', what: 'groups' }),
    );
    const kinds = notices.map(({ body }) => (body as Notice).kind);
    expect(kinds).not.toContain('groupSession');
  });
});

describe('a calendar', () => {
  it('has the sessions of the group at an address that is a secret and can be ended', async () => {
    const { member, groupId, sessionId } = await withSession();
    const secret = async () => (await ask(member, 'PUT', `${groupId}/calendar`)).body.calendar;
    const fetchText = (calendar: string) => app.inject({ url: `/api/group-calendars/${calendar}` });
    const first = await secret();
    expect((await ask(member, 'GET', `${groupId}`)).body.own.calendar).toBe(first);
    const file = await fetchText(first);
    expect(file.headers['content-type']).toBe('text/calendar; charset=utf-8');
    expect(file.body).toContain(`UID:session-${sessionId}-group-${groupId}@mogakgong`);
    expect(file.body).toContain('SUMMARY:토익\\, 900\\; \\\\매일\\\\');
    expect(file.body).toContain('RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU');
    expect(file.body).toMatch(/DTSTART;TZID=Asia\/Seoul:\d{8}T210000\r\nDURATION:PT120M\r\n/u);
    const renewed = await secret();
    expect((await fetchText(first)).statusCode).toBe(404);
    expect((await fetchText(renewed)).statusCode).toBe(200);
    await ask(member, 'DELETE', `${groupId}/calendar`);
    expect((await fetchText(renewed)).statusCode).toBe(404);
    const again = await secret();
    const leave = (deletesAt: 'infinity' | null) =>
      sql`update users set deletes_at = ${deletesAt} where id = ${member.userId}`.execute(
        app.database,
      );
    await leave('infinity');
    expect((await fetchText(again)).statusCode).toBe(404);
    await leave(null);
    expect((await fetchText(again)).statusCode).toBe(200);
    await ask(member, 'DELETE', `${groupId}/membership`);
    expect((await fetchText(again)).statusCode).toBe(404);
  });

  it('writes the changes of the clock of its zone, and folds long lines', () => {
    const session = {
      ...{ sessionId: 1 as SessionId, days: [1, 7], fromMinute: 22 * 60, untilMinute: 90 },
      ...{ madeAt: new Date('2027-03-01T00:00:00Z'), firstDay: '2027-03-01' },
    };
    const conversions = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
    onTestFinished(() => conversions.mockRestore());
    const text = calendarText(
      {
        groupId: 1 as GroupId,
        name: '가'.repeat(40),
        timeZone: 'America/New_York',
        sessions: [session],
      },
      new Date('2027-03-01T00:00:00Z'),
    );
    // Each takes time from everybody: a day at a time there were thousands.
    expect(conversions.mock.calls.length).toBeLessThan(500);
    const lines = text.split('\r\n');
    expect(lines.at(-1)).toBe('');
    for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    const unfolded = text.replaceAll('\r\n ', '');
    expect(unfolded).toContain(`SUMMARY:${'가'.repeat(40)}`);
    expect(unfolded).toContain('DURATION:PT210M');
    expect(unfolded).toContain('RRULE:FREQ=WEEKLY;BYDAY=MO,SU');
    // The second Sunday in March at two, and the first in November at two.
    expect(unfolded).toContain(
      'BEGIN:DAYLIGHT\r\nDTSTART:20270314T020000\r\nTZOFFSETFROM:-0500\r\nTZOFFSETTO:-0400\r\nEND:DAYLIGHT',
    );
    expect(unfolded).toContain(
      'BEGIN:STANDARD\r\nDTSTART:20271107T020000\r\nTZOFFSETFROM:-0400\r\nTZOFFSETTO:-0500\r\nEND:STANDARD',
    );
  });
});
