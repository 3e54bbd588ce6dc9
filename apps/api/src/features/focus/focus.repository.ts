import {
  DEFAULT_TIME_ZONE,
  type FocusClock,
  type FocusSettings,
  type UserId,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { cachedFor } from '../../platform/batch/index.ts';
import { type Database, retryConflict } from '../../platform/database/index.ts';
import type { SignOfLife } from '../rooms/index.ts';
import { recordWatch, silentMs } from '../visits/index.ts';
import {
  type ClockRow,
  clockColumns,
  clockOf,
  createVisitQueries,
  type VisitQueries,
} from './visit-queries.ts';

/** PostgreSQL reads hundreds of files to list its time zones (30 to 110 ms); an upgrade may add some. */
const TIME_ZONES_AGE_MS = 60 * 60_000;

/** Reads clocks, settings and silences; changes visits in transactions (`VisitQueries`). */
export function createFocusRepository(database: Database) {
  const findTimeZones = cachedFor(TIME_ZONES_AGE_MS, async () => {
    const { rows } = await sql<{ name: string }>`select name from pg_timezone_names`.execute(
      database,
    );
    return new Set(rows.map(({ name }) => name));
  });
  return {
    /** Runs work in one transaction: all of it is stored, or nothing. */
    transact: <Result>(work: (queries: VisitQueries) => Promise<Result>): Promise<Result> =>
      retryConflict(() =>
        database.transaction().execute((transaction) => work(createVisitQueries(transaction))),
      ),

    /** The clocks of seated learners. */
    async findClocks(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, FocusClock>> {
      const { rows } = await sql<ClockRow & { userId: UserId }>`
        select visit.user_id as "userId", ${clockColumns}
        from visit left join study_record as record on record.user_id = visit.user_id
        where visit.user_id = any(${userIds}::bigint[]) and visit.ended_at is null`.execute(
        database,
      );
      return new Map(rows.map((row) => [row.userId, clockOf(row)]));
    },

    async findSettings(userId: UserId): Promise<FocusSettings> {
      const { rows } = await sql<FocusSettings>`
        select time_zone as "timeZone", day_start_minutes as "dayStartMinutes",
               starts_on_entering as "startsOnEntering"
        from study_record where user_id = ${userId}`.execute(database);
      return rows[0] ?? { timeZone: DEFAULT_TIME_ZONE, dayStartMinutes: 0, startsOnEntering: true };
    },

    /** Whether PostgreSQL can count in this time zone. */
    knowsTimeZone: async (timeZone: string) => (await findTimeZones()).has(timeZone),

    /** Disconnected learners in focus or pause, silent for longer than `afterMs`. */
    async findSilentAtWork(
      { now, afterMs }: { readonly now: Date; readonly afterMs: number },
      after: UserId | null,
      limit: number,
    ): Promise<UserId[]> {
      const { rows } = await sql<{ userId: UserId }>`
        select seat.user_id as "userId"
        from seat join visit on visit.user_id = seat.user_id and visit.ended_at is null
        where not seat.is_connected and seat.last_seen_at < ${new Date(now.getTime() - afterMs)}
          and visit.status in ('focus', 'pause')
          and ${silentMs(sql`seat.last_seen_at`, now)} > ${afterMs}
          and seat.user_id > ${after ?? 0}
        order by seat.user_id limit ${limit}`.execute(database);
      return rows.map((row) => row.userId);
    },

    /** Learners set away by silence but heard since, and when. */
    async findReturned(after: SignOfLife | null, limit: number): Promise<SignOfLife[]> {
      const { rows } = await sql<SignOfLife>`
        select seat.user_id as "userId", seat.last_seen_at as at
        from visit join seat on seat.user_id = visit.user_id
        where visit.ended_at is null and visit.returns_to is not null
          and seat.last_seen_at > visit.since and seat.user_id > ${after?.userId ?? 0}
        order by seat.user_id limit ${limit}`.execute(database);
      return rows;
    },

    /** Records that the site receives signs of life now. */
    async recordWatch(now: Date): Promise<void> {
      await recordWatch(now).execute(database);
    },
  };
}

export type FocusRepository = ReturnType<typeof createFocusRepository>;
