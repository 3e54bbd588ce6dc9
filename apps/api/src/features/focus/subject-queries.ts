import type { OwnSubjects, SubjectId, UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { countOneUpdate, type SeatChange } from '../rooms/index.ts';

/** A name of a subject, and the key under which names are equal. */
export interface SubjectName {
  readonly name: string;
  readonly key: string;
}

/** By the clock of the database: the order of a list needs no more. */
const RECENT_SINCE = sql`now() - interval '14 days'`;

/** The queries on subjects; a change locks the learner's record first (`lock`). */
export function createSubjectQueries(db: Database) {
  return {
    /** Makes every other change of a learner's subjects wait, and their entering of a room. */
    async lock(userId: UserId): Promise<void> {
      await sql`
        insert into study_record as record (user_id) values (${userId})
        on conflict (user_id) do update set time_zone = record.time_zone`.execute(db);
    },

    /** The subjects that are not removed, in order, and the current one. */
    async find(userId: UserId): Promise<OwnSubjects> {
      const { rows } = await sql<OwnSubjects>`
        select (
          select coalesce(json_agg(json_build_object('id', id, 'name', name) order by position, id), '[]')
          from study_subject where user_id = ${userId} and removed_at is null
        ) as subjects, (
          select subject_id from study_record where user_id = ${userId}
        ) as "currentId", coalesce((
          select shows_subject from study_record where user_id = ${userId}
        ), false) as "isShown", (
          select coalesce(json_agg(subject_id order by last_at desc), '[]')
          from (
            select subject_id, max(started_at) as last_at from focus_interval
            where user_id = ${userId} and subject_id is not null
              and started_at > ${RECENT_SINCE}
            group by subject_id
          ) as recent
        ) as "recentIds"`.execute(db);
      return rows[0] ?? { subjects: [], currentId: null };
    },

    /** Adds one at the end, or restores a removed one. */
    async add(userId: UserId, { name, key }: SubjectName, now: Date): Promise<void> {
      const next = sql`(
        select coalesce(max(position), 0) + 1 from study_subject where user_id = ${userId}
      )`;
      await sql`
        with back as (
          update study_subject set name = ${name}, position = ${next}, removed_at = null
          where user_id = ${userId} and id = (
            select id from study_subject
            where user_id = ${userId} and name_key = ${key} and removed_at is not null
            order by removed_at desc limit 1
          )
          returning id
        )
        insert into study_subject (user_id, name, name_key, position, created_at)
        select ${userId}, ${name}, ${key}, ${next}, ${now}
        where not exists (select from back)`.execute(db);
    },

    /** Gives one another name. */
    async rename(userId: UserId, id: SubjectId, { name, key }: SubjectName): Promise<void> {
      await sql`
        update study_subject set name = ${name}, name_key = ${key}
        where user_id = ${userId} and id = ${id}`.execute(db);
    },

    /** Stores the order of a learner's subjects. */
    async order(userId: UserId, ids: readonly SubjectId[]): Promise<void> {
      await sql`
        update study_subject set position = placed.position
        from unnest(${ids}::bigint[]) with ordinality as placed (id, position)
        where user_id = ${userId} and study_subject.id = placed.id`.execute(db);
    },

    /** Removes one that is not current; deletes its row if no time was counted under it. */
    async remove(userId: UserId, id: SubjectId, now: Date): Promise<void> {
      const isCounted = sql`(
        exists (select from study_subject_day where user_id = ${userId} and subject_id = ${id})
        or exists (select from manual_study where user_id = ${userId} and subject_id = ${id})
      )`;
      await sql`
        with deleted as (
          delete from study_subject
          where user_id = ${userId} and id = ${id} and not ${isCounted}
        )
        update study_subject set removed_at = ${now}
        where user_id = ${userId} and id = ${id} and ${isCounted}`.execute(db);
    },

    /**
     * Shows the subject to others or hides it, and counts the change for the room in the same statement.
     * @returns its number in the room's roster; null without a seat.
     */
    async show(userId: UserId, isShown: boolean): Promise<SeatChange | null> {
      const { rows } = await sql<SeatChange>`
        with shown as (
          insert into study_record as record (user_id, shows_subject) values (${userId}, ${isShown})
          on conflict (user_id) do update set shows_subject = excluded.shows_subject
          returning user_id
        ),
        ${countOneUpdate(sql<UserId>`(select user_id from shown)`)}
        select user_id as "userId", room_id as "roomId", number from counted_update`.execute(db);
      return rows[0] ?? null;
    },

    /** Stores the subject with which a learner's visits begin from now on. */
    async keepCurrent(userId: UserId, id: SubjectId | null): Promise<void> {
      await sql`
        update study_record set subject_id = ${id} where user_id = ${userId}`.execute(db);
    },
  };
}

export type SubjectQueries = ReturnType<typeof createSubjectQueries>;
