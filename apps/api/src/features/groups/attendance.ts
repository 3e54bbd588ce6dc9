import {
  type AttendanceRow,
  type AttendanceStatus,
  addDays,
  attendanceOf,
  DAY_MS,
  GROUPS,
  type GroupId,
  getGroupMonth,
  isDate,
  MINUTE_MS,
  putExcuse,
  rowAfter,
  type StudyDay,
} from '@mogakgong/contract';
import { type Database, forEachDue } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { createIntervalLine } from '../focus/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import {
  createAttendanceRepository,
  type MemberDays,
  type StoredDay,
} from './attendance.repository.ts';
import { lockGroup } from './group-rows.ts';
import type { MembersService } from './members.service.ts';

/** A day is stored this long after its end: presses and silences that change it arrive within minutes. */
const SETTLED_AFTER_MS = 60 * MINUTE_MS;

/** The line of readings of groups that count intervals, one of a group at once. */
export type GroupLine = ReturnType<typeof createIntervalLine<GroupId>>;

interface JudgedDay {
  readonly day: StudyDay;
  readonly focusMs: number;
  readonly totalMs: number;
  readonly status: AttendanceStatus;
  readonly isOver: boolean;
}

/** The days of a member that are not stored, judged by the present rule. */
function judge(member: MemberDays): JudgedDay[] {
  const { rule } = member;
  return member.live.map(({ day, focusMs, totalMs, presentMs, windowMs, isOver }) => {
    if (day < member.joinedDay) return { day, focusMs: 0, totalMs: 0, status: 'none', isOver };
    const countedMs = rule.kind === 'minutes' ? focusMs : presentMs;
    const isExcused = member.excused.includes(day);
    const isFirst = day === member.joinedDay;
    const attended = { day, countedMs, windowMs, isExcused, isFirst, isOver };
    const status = attendanceOf(rule, attended);
    return { day, focusMs, totalMs, status, isOver };
  });
}

const rowOver = (row: number, days: readonly JudgedDay[]) =>
  days.reduce((kept, { status }) => rowAfter(kept, status), row);

/** The days of a month, from its first. */
function daysOfMonth(firstDay: StudyDay): StudyDay[] {
  const month = firstDay.slice(0, 7);
  const all = Array.from({ length: 31 }, (_, index) => addDays(firstDay, index));
  return all.filter((day) => day.startsWith(month));
}

/** A member's row of a month. */
function toRow(member: MemberDays): AttendanceRow {
  const judged = judge(member);
  const days = new Map(judged.map(({ day, focusMs, status }) => [day, { focusMs, status }]));
  for (const [day, focusMs, status] of member.settled) days.set(day, { focusMs, status });
  for (const day of member.excused) {
    if (day > member.today) days.set(day, { focusMs: 0, status: 'excused' });
  }
  const month = daysOfMonth(member.firstDay).map(
    (day) => days.get(day) ?? { focusMs: 0, status: 'none' as const },
  );
  const count = (...which: readonly AttendanceStatus[]) =>
    month.filter(({ status }) => which.includes(status)).length;
  return {
    userId: member.userId,
    statuses: month.map(({ status }) => status),
    minutes: month.map(({ focusMs }) => Math.floor(focusMs / MINUTE_MS)),
    focusMs: month.reduce((sum, { focusMs }) => sum + focusMs, 0),
    kept: count('kept'),
    requiredDays: count('kept', 'partly', 'missed'),
    row: rowOver(member.keptRow, judged),
  };
}

/** The days that are over, and the members' rows after them; null without such a day. */
function endedDays(members: readonly MemberDays[]) {
  const judged = members.map((member) => ({ ...member, judged: judge(member) }));
  const days = judged[0]?.judged ?? [];
  const isOpen = days.findIndex(({ isOver }) => !isOver);
  const over = isOpen === -1 ? days.length : isOpen;
  const lastDay = days[over - 1]?.day;
  if (lastDay === undefined) return null;
  const ended = judged.map((member) => ({ ...member, judged: member.judged.slice(0, over) }));
  return {
    lastDay,
    days: ended.flatMap((member): StoredDay[] =>
      member.judged.map((day) => ({ userId: member.userId, ...day })),
    ),
    keptRows: new Map(
      ended.map((member) => [member.userId, rowOver(member.keptRow, member.judged)]),
    ),
  };
}

/** Attendance of groups: counted from intervals until a day is over, then stored as it was judged. */
export function createAttendance(context: AppContext, members: MembersService, inTurn: GroupLine) {
  const { database, http, jobs, clock, checkedClock } = context;
  const repository = createAttendanceRepository(database);
  const settledBefore = () => new Date(checkedClock.now().getTime() - SETTLED_AFTER_MS);

  http.serve(getGroupMonth, async ({ caller, params: { groupId }, query: { month = null } }) => {
    const reading = { groupId, now: clock.now(), month, readerId: caller.userId };
    const shown = await inTurn(groupId, () => repository.findDays(reading));
    const [first] = shown;
    if (!first) throw new ApiError('groupMembersOnly');
    return { month: first.firstDay.slice(0, 7), today: first.today, rows: shown.map(toRow) };
  });
  http.serve(putExcuse, async ({ caller: { userId }, params: { groupId, day }, body }) => {
    await members.findMember(userId, groupId);
    const choice = { ...body, now: checkedClock.now(), daysMax: GROUPS.excuseDaysMax };
    const isDone = isDate(day) && (await repository.excuse(userId, groupId, day, choice));
    if (!isDone) throw new ApiError('excuseTooLate');
    return { groupId };
  });

  /** Stores the days that were over at a moment: a rule that changes after it judges later days only. */
  async function settle(db: Database, groupId: GroupId, now: Date): Promise<void> {
    const ended = endedDays(
      await repository.findDays({ groupId, now, month: null, readerId: null }, db),
    );
    if (ended === null) return;
    await repository.store(db, groupId, ended.lastDay, ended.days, ended.keptRows, now);
  }

  /** Stores the days that ended a while ago. */
  async function settleDue(): Promise<void> {
    const due = await repository.findDue(settledBefore(), null);
    await forEachDue(due, ({ groupId, until }) =>
      database.transaction().execute(async (db) => {
        await lockGroup(db, groupId);
        await settle(db, groupId, until);
      }),
    );
  }

  jobs.add({ name: 'group days', everyMs: MINUTE_MS, runs: 'site', run: settleDue });
  return {
    /** Stores the days that ended a while ago, in a transaction that has locked the group. */
    async settleOver(db: Database, groupId: GroupId): Promise<void> {
      const [due] = await repository.findDue(settledBefore(), groupId, db);
      if (due) await settle(db, groupId, due.until);
    },

    /** Deletes attendance of long ago. */
    async deleteOld(): Promise<void> {
      const nowMs = checkedClock.now().getTime();
      const ago = (days: number) => new Date(nowMs - days * DAY_MS);
      await repository.deleteOld(ago(GROUPS.attendanceKeptDays), ago(GROUPS.excusesKeptDays));
    },
  };
}

export type Attendance = ReturnType<typeof createAttendance>;
