import { MINUTE_MS } from '@mogakgong/contract';
import { sql } from 'kysely';
import { rebuildRecords } from '../../apps/api/src/features/focus/index.ts';
import { createDatabase, type Database } from '../../apps/api/src/platform/database/index.ts';
import { createLogger } from '../../apps/api/src/platform/logger/index.ts';
import { databaseUrl } from '../../test/running-stack.ts';

/** A stretch of a past visit; stretches follow each other. */
export interface PastInterval {
  readonly status: 'focus' | 'pause' | 'away';
  readonly minutes: number;
  /** The server found that nobody was there. */
  readonly isSilence?: boolean;
  /** What the focus is counted under. */
  readonly subjectId?: number | undefined;
}

export interface PastVisit {
  readonly beganAt: Date;
  readonly intervals: readonly PastInterval[];
}

/**
 * Gives a learner a past: visits and intervals as the product stores them, and the sums that its own
 * `npm run rebuild:focus` makes of them.
 * @param dataDir the DATA_DIR of the running stack.
 */
export async function writeHistory(
  dataDir: string,
  userId: number,
  visits: readonly PastVisit[],
): Promise<void> {
  await onDatabase(dataDir, async (database) => {
    const { rows } = await sql<{ id: number }>`
      insert into study_room (capacity) values (20) returning id`.execute(database);
    for (const visit of visits) await writeVisit(database, userId, rows[0]?.id ?? 0, visit);
    await rebuildRecords(database);
  });
}

/** Lets the visit that lasts have begun so much earlier: its status, and the schedule it follows, run since then. */
export async function lengthenVisit(
  dataDir: string,
  userId: number,
  minutes: number,
): Promise<void> {
  const earlier = sql`make_interval(secs => ${60 * minutes})`;
  await onDatabase(dataDir, (database) =>
    sql`
      update visit set began_at = began_at - ${earlier}, since = since - ${earlier},
                       schedule_started_at = schedule_started_at - ${earlier}
      where user_id = ${userId} and ended_at is null`.execute(database),
  );
}

/** Lets the day end on which a learner last saved their goal. */
export async function endGoalDay(dataDir: string, userId: number): Promise<void> {
  await onDatabase(dataDir, (database) =>
    sql`update study_goal set day = day - 1 where user_id = ${userId}`.execute(database),
  );
}

/** Lets an account have been made a month ago. */
export async function letAccountBeOld(dataDir: string, userId: number): Promise<void> {
  await onDatabase(dataDir, (database) =>
    sql`update users set created_at = created_at - interval '30 days' where id = ${userId}`.execute(
      database,
    ),
  );
}

/** Lets a group have been made, and its members have joined, so many days earlier. */
export async function lengthenMembership(
  dataDir: string,
  groupId: number,
  days: number,
): Promise<void> {
  await onDatabase(dataDir, async (database) => {
    await sql`
      update study_group set made_at = made_at - make_interval(days => ${days}), settled_day = settled_day - ${days}::integer
      where id = ${groupId}`.execute(database);
    await sql`
      update group_member
      set joined_at = joined_at - make_interval(days => ${days}), joined_day = joined_day - ${days}::integer
      where group_id = ${groupId}`.execute(database);
  });
}

/** Lets the host of a room, who sits nowhere, have been away long enough for others to be asked. */
export async function letHostBeAway(dataDir: string, roomId: number): Promise<void> {
  await onDatabase(dataDir, (database) =>
    sql`
      update hosted_room set host_absent_since = now() - interval '1 minute'
      where room_id = ${roomId}`.execute(database),
  );
}

/** Lets a session have ended at this minute of its day. */
export async function endSession(
  dataDir: string,
  sessionId: number,
  minuteOfDay: number,
): Promise<void> {
  await onDatabase(dataDir, (database) =>
    sql`update group_session set until_minute = ${minuteOfDay} where id = ${sessionId}`.execute(
      database,
    ),
  );
}

async function onDatabase(dataDir: string, work: (database: Database) => Promise<unknown>) {
  const database = createDatabase({
    connection: { connectionString: await databaseUrl({ dataDir }) },
    logger: createLogger('warn'),
    poolSize: 1,
  });
  try {
    await work(database);
  } finally {
    await database.destroy();
  }
}

async function writeVisit(
  database: Database,
  userId: number,
  roomId: number,
  { beganAt, intervals }: PastVisit,
): Promise<void> {
  const minutes = intervals.reduce((sum, interval) => sum + interval.minutes, 0);
  const endedAt = new Date(beganAt.getTime() + minutes * MINUTE_MS);
  const { rows } = await sql<{ id: number }>`
    insert into visit (user_id, room_id, began_at, ended_at, status, since, time_zone, day_start_minutes)
    values (${userId}, ${roomId}, ${beganAt}, ${endedAt}, 'idle', ${endedAt}, 'Asia/Seoul', 0)
    returning id`.execute(database);
  let startedMs = beganAt.getTime();
  for (const { status, minutes: length, isSilence = false, subjectId } of intervals) {
    const startedAt = new Date(startedMs);
    startedMs += length * MINUTE_MS;
    await sql`
      insert into focus_interval (user_id, started_at, ended_at, visit_id, status, is_silence,
                                  subject_id, time_zone, day_start_minutes)
      values (${userId}, ${startedAt}, ${new Date(startedMs)}, ${rows[0]?.id}, ${status}, ${isSilence},
              ${subjectId ?? null}, 'Asia/Seoul', 0)`.execute(database);
  }
}
