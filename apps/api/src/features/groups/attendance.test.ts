import {
  type AttendanceRule,
  type AttendanceStatus,
  DAY_MS,
  GROUPS,
  type Group,
  type GroupId,
  type GroupMember,
  type GroupMonth,
  type GroupPlan,
  HOUR_MS,
  MINUTE_MS,
  memberWeekMs,
  type RoomId,
  type StudyDay,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { untilLocked } from '../../../test/lock-waits.ts';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { INTERVAL_READS_AT_ONCE } from '../focus/index.ts';

const { app } = await openTestSite({ emptied: ['study_group', 'seat'] });

const everyDay = [1, 2, 3, 4, 5, 6, 7];
const anHour: AttendanceRule = {
  ...{ kind: 'minutes', days: everyDay, minutes: 60, fromMinute: 0, untilMinute: 60 },
};

const ask = async (
  learner: Learner,
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  path: string,
  payload?: object,
) => {
  const { headers } = await app.renew(learner);
  const url = `/api/groups/${path}`;
  return app.inject({ method, url, headers, ...(payload && { payload }) });
};
/** Moves the clock to a time of day in Seoul, on the next day on which it comes. */
const until = (hour: number) => {
  const nowMs = app.clock.now().getTime();
  const seoulMs = (nowMs + 9 * HOUR_MS) % DAY_MS;
  app.clock.advance((((hour * HOUR_MS - seoulMs) % DAY_MS) + DAY_MS) % DAY_MS || DAY_MS);
};
/** The date in Seoul. */
const today = (days = 0): StudyDay =>
  new Date(app.clock.now().getTime() + 9 * HOUR_MS + days * DAY_MS).toISOString().slice(0, 10);
/** Focus for so long from now on, in a room of chance. */
async function study(learner: Learner, minutes: number) {
  const renewed = await app.renew(learner);
  await app.seat(renewed);
  app.clock.advance(minutes * MINUTE_MS);
  await leave(learner);
}
/** As if their page had been heard until now: a silence is not focus. */
async function leave(learner: Learner) {
  await app.recordSeen(learner);
  await app.leave(await app.renew(learner));
}
async function move(learner: Learner, to: 'pause' | 'away', roomId: RoomId) {
  await app.recordSeen(learner);
  await app.move(await app.renew(learner), to, roomId);
}
async function statusOf(
  learner: Learner,
  groupId: GroupId,
  day: StudyDay,
): Promise<AttendanceStatus> {
  const path = `${groupId}/attendance?month=${day.slice(0, 7)}`;
  const { rows } = (await ask(learner, 'GET', path)).json<GroupMonth>();
  const row = rows.find(({ userId }) => userId === learner.userId);
  return row?.statuses[Number(day.slice(8)) - 1] as AttendanceStatus;
}
const rowOf = async (learner: Learner, groupId: GroupId) =>
  (await ask(learner, 'GET', `${groupId}/attendance`)).json<GroupMonth>().rows[0]?.row;
const excuse = async (learner: Learner, groupId: GroupId, day: StudyDay, isExcused = true) =>
  (await ask(learner, 'PUT', `${groupId}/excuses/${day}`, { isExcused })).statusCode;
async function storedDays(): Promise<StudyDay[]> {
  const { rows } = await sql<{ day: StudyDay }>`
    select day::text as day from group_day order by day`.execute(app.database);
  return rows.map((row) => row.day);
}
/** A group of a learner, two days old. */
async function oldGroup(plan: Partial<GroupPlan> = {}) {
  const learner = await app.newLearner();
  until(12);
  const groupId = await app.openGroup(await app.renew(learner), { rule: anHour, ...plan });
  app.clock.advance(2 * DAY_MS);
  return { learner, groupId };
}

it('a day is kept, partly kept or missed, and open until it ends', async () => {
  const { learner, groupId } = await oldGroup();
  const day = today();
  expect(await statusOf(learner, groupId, day)).toBe('open');
  await study(learner, 59);
  expect(await statusOf(learner, groupId, day)).toBe('open');
  await study(learner, 1);
  expect(await statusOf(learner, groupId, day)).toBe('kept');
  until(12);
  await study(learner, 30);
  until(1);
  expect(await statusOf(learner, groupId, today(-1))).toBe('partly');
  expect(await statusOf(learner, groupId, today(-3))).toBe('missed');
  expect(await statusOf(learner, groupId, today(1))).toBe('none');
});

it('nothing is missed on the day of joining and before it', async () => {
  const learner = await app.newLearner();
  until(12);
  const groupId = await app.openGroup(await app.renew(learner), { rule: anHour });
  const day = today();
  expect(await statusOf(learner, groupId, day)).toBe('open');
  app.clock.advance(DAY_MS);
  expect(await statusOf(learner, groupId, day)).toBe('none');
  expect(await statusOf(learner, groupId, today(-2))).toBe('none');
});

it('a member is present in focus and pause in the window of the rule, not when away', async () => {
  const rule = { ...anHour, kind: 'present', fromMinute: 21 * 60, untilMinute: 23 * 60 } as const;
  const { learner, groupId } = await oldGroup({ rule });
  until(20);
  const roomId = await app.seat(await app.renew(learner));
  app.clock.advance(2 * HOUR_MS);
  await move(learner, 'pause', roomId);
  app.clock.advance(36 * MINUTE_MS);
  const day = today();
  expect(await statusOf(learner, groupId, day)).toBe('kept');
  await leave(learner);
  until(21);
  const next = await app.seat(await app.renew(learner));
  app.clock.advance(HOUR_MS);
  await move(learner, 'away', next);
  app.clock.advance(HOUR_MS);
  await leave(learner);
  until(1);
  expect(await statusOf(learner, groupId, today(-1))).toBe('partly');
});

it('an excuse counts if it was made before the day began, and a kept day stays kept', async () => {
  const { learner, groupId } = await oldGroup();
  const [day, next] = [today(1), today(2)];
  expect(await excuse(learner, groupId, today())).toBe(409);
  expect(await excuse(learner, groupId, day)).toBe(200);
  expect(await excuse(learner, groupId, next)).toBe(200);
  expect(await excuse(learner, groupId, next)).toBe(200);
  expect(await excuse(learner, groupId, today(GROUPS.excuseDaysMax))).toBe(200);
  expect(await excuse(learner, groupId, today(GROUPS.excuseDaysMax + 1))).toBe(409);
  expect(await excuse(learner, groupId, '2027-02-30')).toBe(409);
  const { own } = (await ask(learner, 'GET', `${groupId}`)).json<Group>();
  expect(own.excusedDays).toEqual([day, next, today(GROUPS.excuseDaysMax)]);
  expect(await statusOf(learner, groupId, day)).toBe('excused');
  app.clock.advance(DAY_MS);
  expect(await excuse(learner, groupId, day, false)).toBe(409);
  expect(await statusOf(learner, groupId, day)).toBe('excused');
  await study(learner, 60);
  expect(await statusOf(learner, groupId, day)).toBe('kept');
  expect(await excuse(learner, groupId, next, false)).toBe(200);
  app.clock.advance(2 * DAY_MS);
  expect(await statusOf(learner, groupId, next)).toBe('missed');
});

it('days in a row go on over excused days and stored ones, and end with a missed one', async () => {
  const { learner, groupId } = await oldGroup();
  for (let days = 0; days < 3; days += 1) {
    await study(learner, 60);
    if (days === 0) await excuse(learner, groupId, today(1));
    until(12);
    if (days === 0) app.clock.advance(DAY_MS);
    await app.runJob('group days');
  }
  expect(await rowOf(learner, groupId)).toBe(3);
  app.clock.advance(DAY_MS);
  expect(await rowOf(learner, groupId)).toBe(0);
  await app.runJob('group days');
  expect(await rowOf(learner, groupId)).toBe(0);
});

it('a rule that changes judges later days only', async () => {
  const { learner, groupId } = await oldGroup();
  const day = today();
  await study(learner, 60);
  app.clock.advance(DAY_MS);
  const { statusCode } = await ask(learner, 'PUT', `${groupId}`, {
    ...{ name: 'TOEIC', goal: '', category: 'language', examDay: null, weekGoalMinutes: null },
    ...{ rule: { ...anHour, minutes: 120 }, isListed: true, needsApproval: false, hasRanks: false },
  });
  expect(statusCode).toBe(200);
  expect(await statusOf(learner, groupId, day)).toBe('kept');
  await study(learner, 60);
  expect(await statusOf(learner, groupId, today())).toBe('open');
});

it('an edit stores no day within an hour of its end, nor one after which a member in focus was not heard', async () => {
  const { learner, groupId } = await oldGroup();
  const edit = async (minutes: number) => {
    const { statusCode } = await ask(learner, 'PUT', `${groupId}`, {
      ...{ name: 'TOEIC', goal: '', category: 'language', examDay: null, weekGoalMinutes: null },
      ...{ rule: { ...anHour, minutes }, isListed: true, needsApproval: false, hasRanks: false },
    });
    expect(statusCode).toBe(200);
  };
  until(23);
  const day = today();
  await study(learner, 30);
  await app.seat(await app.renew(learner));
  app.clock.advance(40 * MINUTE_MS);
  await edit(30);
  expect(await statusOf(learner, groupId, day)).toBe('kept');
  until(3);
  await edit(60);
  expect(await statusOf(learner, groupId, day)).toBe('kept');
  expect(await storedDays()).not.toContain(day);
  await leave(learner);
  await edit(120);
  expect(await storedDays()).toContain(day);
  expect(await statusOf(learner, groupId, day)).toBe('kept');
});

it('a window is as long as the clock lets it be', async () => {
  const timeZone = 'America/New_York';
  const windows = [
    // From one to four, without the hour from two to three: 80 % of two hours.
    [{ fromMinute: 60, untilMinute: 240 }, 'kept'],
    // Two to three does not come.
    [{ fromMinute: 120, untilMinute: 180 }, 'none'],
  ] as const;
  const learner = await app.newLearner();
  const fromMs = Date.parse('2037-03-06T17:00:00Z');
  app.clock.advance(fromMs - app.clock.now().getTime());
  const groups: GroupId[] = [];
  for (const [window] of windows) {
    const rule = { ...anHour, kind: 'present', ...window } as const;
    groups.push(await app.openGroup(await app.renew(learner), { rule, timeZone }));
  }
  app.clock.advance(Date.parse('2037-03-08T06:00:00Z') - fromMs);
  await study(learner, 96);
  until(6);
  for (const [index, [, status]] of windows.entries()) {
    expect(await statusOf(learner, groups[index] as GroupId, '2037-03-08')).toBe(status);
  }
});

it('the day before a member joined counts neither for the week nor for the total', async () => {
  const { learner, groupId } = await oldGroup();
  const member = await app.newLearner();
  until(23);
  await study(member, 30);
  until(0);
  const { headers } = await app.renew(member);
  const url = `/api/groups/${groupId}/members`;
  await app.inject({ method: 'POST', url, headers, payload: { agrees: true } });
  await study(member, 5);
  const sums = async () => {
    const group = (await ask(learner, 'GET', `${groupId}`)).json<Group>();
    return [group.totalMs, group.weekMs, group.people[1]?.weekMs];
  };
  const before = await sums();
  expect(before).toEqual([5, 5, 5].map((minutes) => minutes * MINUTE_MS));
  app.clock.advance(2 * HOUR_MS);
  await app.runJob('group days');
  expect(await storedDays()).toContain(today(-1));
  expect(await sums()).toEqual(before);
});

it('a day is stored once, by one of two runs, and not before a member in focus was heard after it', async () => {
  const { learner, groupId } = await oldGroup();
  until(23);
  await app.seat(await app.renew(learner));
  const day = today();
  until(6);
  await app.runJob('group days');
  expect(await storedDays()).not.toContain(day);
  expect(await statusOf(learner, groupId, day)).toBe('kept');
  await leave(learner);
  await Promise.all([app.runJob('group days'), app.runJob('group days')]);
  expect((await storedDays()).filter((each) => each === day)).toEqual([day]);
  expect(await statusOf(learner, groupId, day)).toBe('kept');
});

it.each(['pause', 'focus'] as const)(
  'a %s of thirty days leaves intervals of one day alone to be counted',
  async (status) => {
    const { learner, groupId } = await oldGroup();
    const member = await app.newLearner();
    await ask(member, 'POST', `${groupId}/members`, { agrees: true });
    const roomId = await app.seat(await app.renew(member));
    if (status === 'pause') await move(member, 'pause', roomId);
    const startedAtMs = app.clock.now().getTime();
    for (let days = 0; days < 30; days += 1) {
      for (let times = 0; times < 3; times += 1) await study(learner, 10);
      app.clock.advance(DAY_MS - 30 * MINUTE_MS);
      await app.recordSeen(member);
    }
    await app.runJob('group days');
    const { rows } = await sql`
      select (${today()}::date - settled_day) as days from study_group where id = ${groupId}`.execute(
      app.database,
    );
    expect(rows).toEqual([{ days: 1 }]);
    const nowMs = app.clock.now().getTime();
    const group = (await ask(learner, 'GET', `${groupId}`)).json<Group>();
    const [, person] = group.people;
    const weekMs = nowMs - Math.max(startedAtMs, group.weekStartsAtMs);
    expect(memberWeekMs(person as GroupMember, group, nowMs)).toBe(status === 'focus' ? weekMs : 0);
    await leave(member);
    const { people } = (await ask(learner, 'GET', `${groupId}`)).json<Group>();
    expect(people[1]?.weekMs).toBe(status === 'focus' ? weekMs : 0);
  },
);

it('a day is stored only once its members were heard after it', async () => {
  const rule = { ...anHour, kind: 'present', fromMinute: 21 * 60, untilMinute: 22 * 60 } as const;
  const { learner } = await oldGroup({ rule });
  until(20);
  const roomId = await app.seat(await app.renew(learner));
  await move(learner, 'pause', roomId);
  const day = today();
  app.clock.advance(80 * MINUTE_MS);
  await app.recordSeen(learner);
  until(6);
  // The site was away until now: it is not known yet whether they were there.
  await app.runJob('group days');
  expect(await storedDays()).not.toContain(day);
  await app.recordSeen(learner);
  await app.runJob('group days');
  expect(await storedDays()).toContain(day);
});

it('readers of one group leave others their groups, and the pool of connections', async () => {
  const { learner, groupId } = await oldGroup();
  const { learner: other, groupId: another } = await oldGroup();
  const asked = await app.database.transaction().execute(async (transaction) => {
    await sql`lock table focus_interval in access exclusive mode`.execute(transaction);
    const read = [`${groupId}`, `${groupId}/attendance`, `${groupId}`];
    const answers = read.map((path) => ask(learner, 'GET', path));
    await untilLocked(app.database, 1);
    answers.push(ask(other, 'GET', `${another}`));
    await untilLocked(app.database, INTERVAL_READS_AT_ONCE);
    expect((await ask(other, 'GET', 'listed?page=1')).statusCode).toBe(200);
    return { answers };
  });
  const answers = await Promise.all(asked.answers);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
});

it('attendance goes with the membership, and after it was kept for long', async () => {
  const { learner, groupId } = await oldGroup();
  await study(learner, 60);
  until(12);
  await app.runJob('group days');
  const stored = async () => {
    const { rows } = await sql<{ days: number }>`
      select count(*)::integer as days from group_day`.execute(app.database);
    return rows[0]?.days;
  };
  expect(await stored()).toBeGreaterThan(0);
  app.clock.advance((GROUPS.attendanceKeptDays + 2) * DAY_MS);
  await app.runJob('old group data');
  expect(await stored()).toBe(0);
  await ask(learner, 'DELETE', `${groupId}/membership`);
  expect((await ask(learner, 'GET', `${groupId}/attendance`)).statusCode).toBe(403);
});
