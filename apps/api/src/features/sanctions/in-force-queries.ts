import type { RoomId, SanctionKind, UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';

/** A sanction in force. */
export interface SanctionInForce {
  readonly kind: SanctionKind;
  readonly roomId: RoomId | null;
  /** Null for one without end. */
  readonly endsAtMs: number | null;
}

/** The sanctions in force for one learner. */
export interface LearnersSanctions {
  readonly userId: UserId;
  readonly inForce: readonly SanctionInForce[];
  /** The last change of any of their sanctions. */
  readonly changedAtMs: number;
}

/** SQL for "a sanction is in force at this time". */
export const isInForce = (now: Date | RawBuilder<Date>) =>
  sql<boolean>`lifted_at is null and (ends_at is null or ends_at > ${now})`;

/** The queries on sanctions in force. */
export function createInForceQueries(db: Database) {
  async function find(which: RawBuilder<unknown>, now: Date): Promise<LearnersSanctions[]> {
    const { rows } = await sql<LearnersSanctions>`
      select user_id as "userId",
             (extract(epoch from max(changed_at)) * 1000)::float8 as "changedAtMs",
             coalesce(json_agg(json_build_object(
               'kind', kind, 'roomId', room_id,
               'endsAtMs', floor(extract(epoch from ends_at) * 1000)::bigint
             )) filter (where ${isInForce(now)}), '[]') as "inForce"
      from sanction where user_id is not null and ${which}
      group by user_id`.execute(db);
    return rows;
  }

  return {
    /** All learners with a sanction in force. */
    findAllInForce: (now: Date) => find(isInForce(now), now),

    /** These learners, except those without any sanction, past or present. */
    findInForceOf: (userIds: readonly UserId[], now: Date) =>
      find(sql`user_id = any(${userIds}::bigint[])`, now),

    /** The learners with a sanction that changed since then. */
    findChangedSince: (since: Date, now: Date) =>
      find(sql`user_id in (select user_id from sanction where changed_at >= ${since})`, now),
  };
}

/** SQL for the learners who are suspended or banned at this time. */
export const suspendedUsers = (now: Date | RawBuilder<Date>): RawBuilder<unknown> => sql`(
  select sanction.user_id from sanction
  where sanction.user_id is not null and kind in ('suspend', 'ban') and ${isInForce(now)}
)`;

/** SQL for the learners who are suspended or banned without end. */
export const bannedUsers = suspendedUsers(sql<Date>`'infinity'::timestamptz`);

/** SQL for the array of rooms that a learner was removed from and cannot enter again yet. */
export function closedRoomsOf(userId: UserId): RawBuilder<RoomId[]> {
  return sql`array(
    select sanction.room_id::float8 from sanction
    where sanction.user_id = ${userId} and kind = 'remove' and ${isInForce(sql<Date>`now()`)}
  )`;
}
