import {
  DEFAULT_TIME_ZONE,
  type FocusClock,
  type FocusSettings,
  HOUR_MS,
  type UserId,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { cachedFor } from '../../platform/batch/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { countOneUpdate, type SeatChange, type SignOfLife } from '../rooms/index.ts';
import type { DayRule } from './visit-change.ts';
import {
  type ClockRow,
  clockColumns,
  clockOf,
  firstPhaseChange,
  recordWatch,
  silentMs,
} from './visits.ts';

/** PostgreSQL reads hundreds of files to list its time zones (30 to 110 ms); an upgrade may add some. */
const TIME_ZONES_AGE_MS = HOUR_MS;

/** Reads clocks, settings and silences. */
export function createFocusRepository(database: Database) {
  const findTimeZones = cachedFor(TIME_ZONES_AGE_MS, async () => {
    const { rows } = await sql<{ name: string }>`select name from pg_timezone_names`.execute(
      database,
    );
    return new Set(rows.map(({ name }) => name));
  });
  return {
    /** Counts a change of what others see of a learner; null without a seat. */
    async countChange(userId: UserId): Promise<SeatChange | null> {
      const { rows } = await sql<SeatChange>`
        with ${countOneUpdate(userId)}
        select user_id as "userId", room_id as "roomId", number from counted_update`.execute(
        database,
      );
      return rows[0] ?? null;
    },

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

    /** Stores a learner's note on a visit of theirs; returns whether there is one. */
    async noteVisit(userId: UserId, visitId: number, note: string | null): Promise<boolean> {
      const { numAffectedRows } = await sql`
        update visit set note = ${note} where user_id = ${userId} and id = ${visitId}`.execute(
        database,
      );
      return numAffectedRows === 1n;
    },

    /** Whether this process and PostgreSQL can count in this time zone. */
    knowsTimeZone: async (timeZone: string) =>
      isTimeZone(timeZone) && (await findTimeZones()).has(timeZone),

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

    /** Learners with a phase that began more than `ageMs` ago, and before their last sign of life, not stored. */
    async findInPhase(
      { now, ageMs }: { readonly now: Date; readonly ageMs: number },
      after: UserId | null,
      limit: number,
    ): Promise<UserId[]> {
      const changeAt = firstPhaseChange(sql`visit.since`);
      const { rows } = await sql<{ userId: UserId }>`
        select seat.user_id as "userId"
        from visit join seat on seat.user_id = visit.user_id
        where visit.ended_at is null and visit.schedule_started_at is not null
          and ${changeAt} <= least(visit.schedule_ended_at, seat.last_seen_at)
          and ${silentMs(changeAt, now)} > ${ageMs} and seat.user_id > ${after ?? 0}
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

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

export type FocusRepository = ReturnType<typeof createFocusRepository>;

interface KnownRule extends DayRule {
  /** Whether the rule changed recently, and focus was counted by it since. */
  readonly isRuleKept: boolean;
}

/** Changes settings, in the transaction that changes the visit. */
export function createSettingsQueries(db: Database) {
  return {
    /**
     * The rule of a learner's days, locked until the transaction ends.
     * @param keptSince a rule chosen after this moment is kept once time was counted by it.
     */
    async lockSettings(userId: UserId, keptSince: Date): Promise<KnownRule> {
      const { rows } = await sql<KnownRule>`
        insert into study_record as record (user_id) values (${userId})
        on conflict (user_id) do update set time_zone = record.time_zone
        returning time_zone as "timeZone", day_start_minutes as "dayStartMinutes",
          coalesce(rule_changed_at > ${keptSince} and (
            counted_until > rule_changed_at or exists (
              select from visit
              where visit.user_id = record.user_id and ended_at is null and status = 'focus'
            )
          ), false) as "isRuleKept"`.execute(db);
      const [known] = rows;
      if (!known) throw new Error('a learner has no settings');
      return known;
    },

    /**
     * Stores locked settings.
     * @param ruleChangedAt when the rule of days changed; null if it did not.
     */
    async saveSettings(
      userId: UserId,
      { timeZone, dayStartMinutes, startsOnEntering }: FocusSettings,
      ruleChangedAt: Date | null,
    ): Promise<void> {
      await sql`
        update study_record
        set time_zone = ${timeZone}, day_start_minutes = ${dayStartMinutes},
            starts_on_entering = ${startsOnEntering},
            rule_changed_at = coalesce(${ruleChangedAt}, rule_changed_at)
        where user_id = ${userId}`.execute(db);
    },
  };
}
