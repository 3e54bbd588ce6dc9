import {
  daysUntil,
  isDate,
  type Language,
  type LookBack,
  STATISTICS_MAX_DAYS,
  type Statistics,
  type StudyDay,
  type StudyDays,
  type StudyHours,
  type StudySubjects,
  type SubjectId,
  type Timetable,
  type UserId,
  VISIT_MAX_INTERVALS,
  VISITS_PAGE_SIZE,
  type Visit,
  type Weeks,
} from '@mogakgong/contract';
import { ApiError } from '../../platform/http/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import type { TitlesService } from '../titles/index.ts';
import type { UsersService } from '../users/index.ts';
import {
  createStatisticsRepository,
  type Period,
  type SubjectDays,
} from './statistics.repository.ts';
import type { VisitRow } from './visits-query.ts';

const HOURS = 24;

interface VisitsQuery {
  readonly before?: number | undefined;
  readonly count?: number | undefined;
}

export interface StatisticsUses {
  readonly users: UsersService;
  readonly titles: TitlesService;
}

/** A learner's statistics, from the figures of the focus engine. */
export function createStatisticsService(
  { database, clock }: AppContext,
  { users, titles }: StatisticsUses,
) {
  const repository = createStatisticsRepository(database);

  return {
    /** @throws ApiError `userNotFound`. */
    async summarise(userId: UserId): Promise<Statistics> {
      const [counted, cards] = await Promise.all([
        repository.findTotals(userId, clock.now()),
        users.findCards([userId]),
      ]);
      const card = cards.get(userId);
      if (!card) throw new ApiError('userNotFound');
      return {
        userId,
        nickname: card.nickname,
        totalStudyTime: wholeSeconds(counted.focusMs),
        totalAwayTime: wholeSeconds(counted.awayMs),
        totalAttendanceDays: counted.attendanceDays,
        continueAttendanceDays: counted.streakDays,
        lastAttendanceDate: counted.lastAttendedDay,
        longestAttendanceDays: counted.longestStreakDays,
      };
    },

    /** @throws ApiError `badPeriod`. */
    async findDays(userId: UserId, period: Period): Promise<StudyDays> {
      assertPeriod(period);
      return repository.findDays(userId, period, clock.now());
    },

    /** @throws ApiError `badPeriod`. */
    async findHours(userId: UserId, period: Period): Promise<StudyHours> {
      assertPeriod(period);
      const focusMs = new Array<number>(HOURS).fill(0);
      for (const { hour, ms } of await repository.findHours(userId, period, clock.now())) {
        focusMs[hour] = ms;
      }
      return { focusMs };
    },

    /** @throws ApiError `badPeriod`. */
    async findTimetable(userId: UserId, day: StudyDay): Promise<Timetable> {
      assertPeriod({ from: day, to: day });
      const { beginsAt, endsAt, ...row } = await repository.findTimetable(userId, day, clock.now());
      return { ...row, dayStartsAtMs: beginsAt.getTime(), dayEndsAtMs: endsAt.getTime() };
    },

    /** @throws ApiError `badPeriod`. */
    async findSubjects(userId: UserId, period: Period): Promise<StudySubjects> {
      assertPeriod(period);
      return toStudySubjects(await repository.findSubjects(userId, period, clock.now()));
    },

    async findVisits(userId: UserId, { before, count = VISITS_PAGE_SIZE }: VisitsQuery) {
      const now = clock.now();
      const rows = await repository.findVisits(userId, { before, count: count + 1 }, now);
      return {
        visits: rows.slice(0, count).map((row) => toVisit(row, now.getTime())),
        hasOlder: rows.length > count,
        serverNowMs: now.getTime(),
      };
    },

    /** This week so far, and last week up to the same moment. */
    async findWeeks(userId: UserId): Promise<Weeks> {
      const { lastWeekUntil, ...weeks } = await repository.findWeeks(userId, clock.now());
      return { ...weeks, lastWeekUntilMs: lastWeekUntil.getTime() };
    },

    async lookBack(userId: UserId, language: Language): Promise<LookBack> {
      const [visit, { streakDays }, nextTitle] = await Promise.all([
        repository.findEndedVisit(userId),
        repository.findTotals(userId, clock.now()),
        titles.findNext(userId, language),
      ]);
      return { visit, streakDays, nextTitle };
    },

    /** @throws ApiError `badPeriod` or `exportTooLarge`. */
    async exportIntervals(userId: UserId, period: Period): Promise<AsyncIterable<string>> {
      assertPeriod(period);
      const file = await repository.exportIntervals(userId, period);
      if (file === null) throw new ApiError('exportTooLarge');
      return file;
    },
  };
}

const wholeSeconds = (ms: number) => Math.floor(ms / 1_000);

function assertPeriod({ from, to }: Period): void {
  const days = isDate(from) && isDate(to) ? daysUntil(from, to) + 1 : 0;
  if (days < 1 || days > STATISTICS_MAX_DAYS) throw new ApiError('badPeriod');
}

/** A table of days and subjects, those with most focus first. */
function toStudySubjects({ today, days, subjects }: SubjectDays): StudySubjects {
  const none = { id: null, name: null, isRemoved: false };
  const sums = new Map<SubjectId | null, number>();
  for (const { subjectId, focusMs } of days) {
    sums.set(subjectId, (sums.get(subjectId) ?? 0) + focusMs);
  }
  const listed = [...subjects, none]
    .map((subject) => ({ ...subject, focusMs: sums.get(subject.id) ?? 0 }))
    .filter(({ focusMs }) => focusMs > 0)
    .toSorted((one, two) => two.focusMs - one.focusMs);
  const places = new Map(listed.map(({ id }, place) => [id, place]));
  const table = new Map<StudyDay, number[]>();
  for (const { day, subjectId, focusMs } of days) {
    const row = table.get(day) ?? listed.map(() => 0);
    row[places.get(subjectId) ?? 0] = focusMs;
    table.set(day, row);
  }
  return { today, subjects: listed, days: [...table].map(([day, focusMs]) => ({ day, focusMs })) };
}

function toVisit(row: VisitRow, nowMs: number): Visit {
  const { id, roomId, beganAt, endedAt, intervals } = row;
  const running = intervals.find(({ endedAtMs }) => endedAtMs === null);
  const runningMs = running ? Math.max(0, nowMs - running.startedAtMs) : 0;
  return {
    id,
    roomId,
    beganAtMs: beganAt.getTime(),
    endedAtMs: endedAt?.getTime() ?? null,
    focusMs: row.focusMs + (running?.status === 'focus' ? runningMs : 0),
    awayMs: row.awayMs + (running?.status === 'away' ? runningMs : 0),
    intervals: intervals.slice(-VISIT_MAX_INTERVALS),
    hasEarlier: intervals.length > VISIT_MAX_INTERVALS,
    note: row.note,
  };
}
