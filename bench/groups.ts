import { GROUPS, type GroupId, type UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import { createAttendanceRepository } from '../apps/api/src/features/groups/attendance.repository.ts';
import { createGroupsRepository } from '../apps/api/src/features/groups/groups.repository.ts';
import type { Database } from '../apps/api/src/platform/database/index.ts';
import { onDatabase } from './support/database.ts';
import { percentile, tableRow } from './support/statistics.ts';

/**
 * The page of a study group, with 50 members and their attendance of a month, on a site with ten thousand such
 * groups: its queries, one after the other, as the pages of ten groups a second would send them.
 *
 *     npm run bench:groups
 */
const MEMBERS = GROUPS.membersMax;
const LEARNERS = 20_000;
/** Groups whose month is stored, and whose page is read. */
const READ_GROUPS = 2_000;
const MONTH_DAYS = 31;
/** Intervals of each learner on each of the days that are counted anew: focus and breaks in turn. */
const INTERVALS = 16;
const RUNS = 200;
/** Budget of the 95th percentile (issue 30). */
const PAGE_MAX_MS = 30;

/** Groups that share their learners, a month that is stored, and three days of intervals that are not. */
async function fill(database: Database, groups: number): Promise<void> {
  await database.connection().execute(async (db) => {
    const run = (text: string) => sql.raw(text).execute(db);
    await run(`set session_replication_role = replica`);
    await run(`truncate users, study_room, study_group, group_member, group_day, visit, focus_interval,
               study_record, seat restart identity cascade`);
    await run(`insert into users (email, nickname, password_hash, introduction, profile_image, social_provider)
      select n || '@groups', 'g' || n, '', '', '', 'LOCAL' from generate_series(1, ${LEARNERS}) as n`);
    await run(
      `insert into study_room (capacity, entry) select 20, 'group' from generate_series(1, ${groups})`,
    );
    await run(`insert into study_group (room_id, name, goal, category, time_zone, day_start_minutes, rule_kind,
        rule_days, rule_minutes, rule_from, rule_until, is_listed, needs_approval, has_ranks, invitation,
        made_at, settled_day)
      select n, 'group ' || n, '', 'csat', 'Asia/Seoul', 0, 'minutes', '{1,2,3,4,5,6,7}', 60, 0, 60, true,
             false, false, 'invitation' || n, now(), (now() at time zone 'Asia/Seoul')::date - 3
      from generate_series(1, ${groups}) as n`);
    await run(`insert into group_member (group_id, user_id, is_leader, joined_at, joined_day)
      select g, 1 + (g * 7 + m * ${Math.floor(LEARNERS / MEMBERS)}) % ${LEARNERS}, m = 0, now(), '2020-01-01'
      from generate_series(1, ${groups}) as g, generate_series(0, ${MEMBERS - 1}) as m`);
    await run(`insert into group_day (user_id, group_id, day, focus_ms, status, settled_at)
      select user_id, group_id, (now() at time zone 'Asia/Seoul')::date - days, 3600000, 'kept', now()
      from group_member, generate_series(3, ${MONTH_DAYS}) as days where group_id <= ${READ_GROUPS}`);
    await run(`insert into visit (user_id, room_id, began_at, ended_at, status, since, time_zone, day_start_minutes)
      select n, 1, now() - make_interval(days => day), now() - make_interval(days => day), 'focus',
             now() - make_interval(days => day), 'Asia/Seoul', 0
      from generate_series(1, ${LEARNERS}) as n, generate_series(0, 4) as day`);
    await run(`insert into focus_interval (user_id, started_at, ended_at, visit_id, status, is_silence, time_zone,
        day_start_minutes)
      select user_id, began_at - make_interval(mins => 30 * part + 30), began_at - make_interval(mins => 30 * part + 2),
             id, case when part % 2 = 0 then 'focus' else 'pause' end, false, time_zone, 0
      from visit, generate_series(0, ${INTERVALS - 1}) as part`);
    await run(`insert into visit (user_id, room_id, began_at, status, since, time_zone, day_start_minutes)
      select n, 1, now(), 'focus', now(), 'Asia/Seoul', 0 from generate_series(1, ${LEARNERS}, 10) as n`);
    await run(
      `insert into study_record (user_id) select n from generate_series(1, ${LEARNERS}) as n`,
    );
    await run(`insert into seat (user_id, room_id, entered_at, last_seen_at)
      select user_id, 1, now(), now() from visit where ended_at is null`);
    await run(`set session_replication_role = origin`);
    await run(`vacuum analyze`);
  });
}

const READS = ['group', 'members', 'month', 'page'] as const;

/** The milliseconds of each query of the page, and of all three. */
async function readPage(database: Database, groupId: GroupId): Promise<Record<string, number>> {
  const repository = createGroupsRepository(database);
  const attendance = createAttendanceRepository(database);
  const { rows } = await sql<{ userId: UserId }>`
    select user_id as "userId" from group_member where group_id = ${groupId} limit 1`.execute(
    database,
  );
  const userId = rows[0]?.userId as UserId;
  const now = new Date();
  const times: Record<string, number> = {};
  const time = async (name: string, read: () => Promise<unknown>) => {
    const startedAtMs = performance.now();
    await read();
    times[name] = performance.now() - startedAtMs;
  };
  await time('page', async () => {
    await time('group', () => repository.read(userId, groupId, now));
    await time('members', () => repository.readMembers(userId, groupId, now));
    await time('month', () => attendance.findDays({ groupId, now, month: null, readerId: userId }));
  });
  return times;
}

async function run(database: Database): Promise<boolean> {
  let isGood = true;
  console.log(tableRow('groups', 'read', 'p50 ms', 'p95 ms'));
  console.log(tableRow('---:', '---', '---:', '---:'));
  for (const groups of [2_000, 10_000]) {
    await fill(database, groups);
    const found: Record<string, number>[] = [];
    for (let n = 0; n < RUNS; n += 1) {
      found.push(await readPage(database, (1 + ((n * 37) % READ_GROUPS)) as GroupId));
    }
    // The first reads fill the cache of the database.
    const warm = found.slice(RUNS / 2);
    for (const read of READS) {
      const times = warm.map((each) => each[read] ?? 0);
      const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
      console.log(tableRow(groups.toLocaleString('en'), read, p50.toFixed(1), p95.toFixed(1)));
      if (read === 'page') isGood &&= p95 <= PAGE_MAX_MS;
    }
  }
  return isGood;
}

// A superuser's connection: rows are filled in without triggers.
process.exitCode = (await onDatabase({ isSuperuser: true, statementTimeoutMs: 600_000 }, run))
  ? 0
  : 1;
