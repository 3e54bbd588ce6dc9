import {
  type AttendanceRow,
  type AttendanceStatus,
  attendanceOf,
  GROUPS,
  type GroupId,
  type GroupMonth,
  isDate,
  rowAfter,
  type StudyDay,
  type StudyMonth,
  type UserId,
} from '@mogakgong/contract';
import { type Database, forEachDue } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import {
  type AttendanceRepository,
  createAttendanceRepository,
  type MemberDays,
  type StoredDay,
} from './attendance.repository.ts';
import { daysOfMonth } from './group-days.ts';
import { DAY_MS, lockGroup } from './group-rows.ts';

const MINUTE_MS = 60_000;
/** A day is stored this long after its end: presses and silences that change it arrive within minutes. */
const SETTLED_AFTER_MS = 60 * MINUTE_MS;

interface JudgedDay {
  readonly day: StudyDay;
  readonly focusMs: number;
  readonly status: AttendanceStatus;
  readonly isOver: boolean;
}

/** The days of a member that are not stored, judged by the present rule. */
function judge(member: MemberDays): JudgedDay[] {
  const { rule } = member;
  return member.live.map(({ day, focusMs, presentMs, windowMs, isOver }) => {
    if (day < member.joinedDay) return { day, focusMs: 0, status: 'none', isOver };
    const countedMs = rule.kind === 'minutes' ? focusMs : presentMs;
    const isExcused = member.excused.includes(day);
    const isFirst = day === member.joinedDay;
    const attended = { day, countedMs, windowMs, isExcused, isFirst, isOver };
    const status = attendanceOf(rule, attended);
    return { day, focusMs, status, isOver };
  });
}

const rowOver = (row: number, days: readonly JudgedDay[]) =>
  days.reduce((kept, { status }) => rowAfter(kept, status), row);

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

/** Attendance of groups: counted from intervals until a day is over, then stored as it was judged. */
export class AttendanceService {
  readonly #parts: AppContext;
  readonly #repository: AttendanceRepository;

  constructor(parts: AppContext) {
    this.#parts = parts;
    this.#repository = createAttendanceRepository(parts.database);
  }

  /** @throws ApiError `groupMembersOnly`. */
  async readMonth(
    readerId: UserId,
    groupId: GroupId,
    month: StudyMonth | null,
  ): Promise<GroupMonth> {
    const now = this.#parts.clock.now();
    const members = await this.#repository.findDays({ groupId, now, month, readerId });
    const [first] = members;
    if (!first) throw new ApiError('groupMembersOnly');
    return {
      month: first.firstDay.slice(0, 7),
      today: first.today,
      rows: members.map(toRow),
    };
  }

  /** @throws ApiError `excuseTooLate`, also for a stranger's day. */
  async excuse(userId: UserId, groupId: GroupId, day: StudyDay, isExcused: boolean): Promise<void> {
    const choice = {
      isExcused,
      now: this.#parts.checkedClock.now(),
      daysMax: GROUPS.excuseDaysMax,
    };
    const isDone = isDate(day) && (await this.#repository.excuse(userId, groupId, day, choice));
    if (!isDone) throw new ApiError('excuseTooLate');
  }

  /** Stores the days that ended a while ago, in a transaction that has locked the group. */
  async settleOver(db: Database, groupId: GroupId): Promise<void> {
    const [due] = await this.#repository.findDue(this.#settledBefore(), groupId, db);
    if (due) await this.#settle(db, groupId, due.until);
  }

  /** Repeated: stores the days that ended a while ago. */
  async settleDue(): Promise<void> {
    const due = await this.#repository.findDue(this.#settledBefore(), null);
    await forEachDue(due, ({ groupId, until }) =>
      this.#parts.database.transaction().execute(async (db) => {
        await lockGroup(db, groupId);
        await this.#settle(db, groupId, until);
      }),
    );
  }

  #settledBefore(): Date {
    return new Date(this.#parts.checkedClock.now().getTime() - SETTLED_AFTER_MS);
  }

  /** Stores the days that were over at a moment: a rule that changes after it judges later days only. */
  async #settle(db: Database, groupId: GroupId, now: Date): Promise<void> {
    const reading = { groupId, now, month: null, readerId: null };
    const members = await this.#repository.findDays(reading, db);
    const judged = new Map(members.map((member) => [member.userId, judge(member)]));
    const [days = []] = judged.values();
    const isOpen = days.findIndex(({ isOver }) => !isOver);
    const over = isOpen === -1 ? days.length : isOpen;
    const lastDay = days[over - 1]?.day;
    if (lastDay === undefined) return;
    const stored = [...judged].flatMap(([userId, all]): StoredDay[] =>
      all.slice(0, over).map((day) => ({ userId, ...day })),
    );
    const keptRows = new Map(
      members.map(({ userId, keptRow }) => [
        userId,
        rowOver(keptRow, judged.get(userId)?.slice(0, over) ?? []),
      ]),
    );
    await this.#repository.store(db, groupId, lastDay, stored, keptRows, now);
  }

  /** Repeated: deletes attendance of long ago. */
  async deleteOld(): Promise<void> {
    const nowMs = this.#parts.checkedClock.now().getTime();
    const ago = (days: number) => new Date(nowMs - days * DAY_MS);
    await this.#repository.deleteOld(ago(GROUPS.attendanceKeptDays), ago(GROUPS.excusesKeptDays));
  }
}
