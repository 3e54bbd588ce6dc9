import type { StudyDay, TodayGoal, UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import { type Database, retryConflict } from '../../platform/database/index.ts';
import { countOneUpdate, type SeatChange } from '../rooms/index.ts';

/** A learner's goal, with the day of its tasks. */
export interface GoalRow extends TodayGoal {
  readonly day: StudyDay;
  readonly version: number;
}

interface SavedGoal {
  readonly version: number;
  /** Its number in the room's roster; null if others see no change. */
  readonly change: SeatChange | null;
}

/** The queries that read and store a learner's own goal. */
export function createGoalsRepository(database: Database) {
  return {
    async findGoal(userId: UserId): Promise<GoalRow | undefined> {
      const { rows } = await sql<GoalRow>`
        select target_minutes as "targetMinutes", is_visible as "isVisible", day::text as day,
               tasks, version
        from study_goal where user_id = ${userId}`.execute(database);
      return rows[0];
    },

    /**
     * Stores a goal, and counts it as a change of the room unless it was and stays hidden: in one statement,
     * so that a goal made private never stays on a tile.
     */
    saveGoal: (userId: UserId, goal: TodayGoal, day: StudyDay): Promise<SavedGoal> =>
      retryConflict(() => saveGoal(database, userId, { ...goal, day })),
  };
}

async function saveGoal(
  database: Database,
  userId: UserId,
  { targetMinutes, isVisible, tasks, day }: TodayGoal & { readonly day: StudyDay },
): Promise<SavedGoal> {
  // Locks the row first, then the room. A goal that a concurrent save stores for the first time is not found,
  // and counts as visible before.
  const { rows } = await sql<{ version: number } & SeatChange>`
    with before as (
      select is_visible from study_goal where user_id = ${userId} for update
    ), saved as (
      insert into study_goal as known (user_id, target_minutes, is_visible, day, tasks)
      select ${userId}, ${targetMinutes}, ${isVisible}, ${day}::date, ${JSON.stringify(tasks)}::jsonb
      from (select count(*) from before) as read
      on conflict (user_id) do update
      set target_minutes = excluded.target_minutes, is_visible = excluded.is_visible,
          day = excluded.day, tasks = excluded.tasks, version = known.version + 1
      returning user_id, version, is_visible
    ), shown as (
      select user_id from saved
      where is_visible or not exists (select from before where not is_visible)
    ),
    ${countOneUpdate(sql<UserId>`(select user_id from shown)`)}
    select saved.version, saved.user_id as "userId", counted_update.room_id as "roomId",
           counted_update.number
    from saved left join counted_update on true`.execute(database);
  const [saved] = rows;
  if (!saved) throw new Error('a goal was not stored');
  const { version, ...change } = saved;
  return { version, change: change.roomId === null ? null : change };
}
