import { GROUPS, type GroupId, type UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import type { TestApp } from './test-app.ts';

/** Learners of `fillToLimits`. */
const FIRST_OTHER = 100_001;
const LISTED = 2_000;

/**
 * A full group that a learner leads, with a year of attendance, all its sessions and requests, beside many others.
 * Triggers and foreign keys are disabled.
 */
export async function fillGroups(app: TestApp, userId: UserId): Promise<GroupId> {
  return app.database.connection().execute(async (db) => {
    const run = <Row>(statement: RawBuilder<Row>) => statement.execute(db);
    await run(sql`set session_replication_role = replica`);
    const { rows } = await run(sql<{ groupId: GroupId }>`
      insert into study_group (room_id, name, goal, category, notice, time_zone, day_start_minutes, rule_kind,
                               rule_days, rule_minutes, rule_from, rule_until, is_listed, needs_approval,
                               has_ranks, invitation, made_at, settled_day)
      select 1000000 + n, repeat('가', ${GROUPS.nameMaxLength}), repeat('가', ${GROUPS.goalMaxLength}), 'csat',
             repeat('가', ${GROUPS.noticeMaxLength}), 'Asia/Seoul', 0, 'minutes', '{1,2,3,4,5,6,7}', 60, 0, 60,
             true, true, true, 'limits' || n || repeat('a', 20), now(), current_date - 2
      from generate_series(1, ${LISTED}::integer) as n returning id as "groupId"`);
    const groupId = rows[0]?.groupId as GroupId;
    const members = sql`(
      select ${userId}::bigint as id union all
      select ${FIRST_OTHER}::bigint + n from generate_series(1, ${GROUPS.membersMax - 1}::integer) as n
    ) as member`;
    await run(sql`
      insert into group_member (group_id, user_id, is_leader, joined_at, joined_day, calendar)
      select ${groupId}, id, id = ${userId}, now(), current_date - 400, 'calendar-of-learner-' || id from ${members}`);
    await run(sql`
      insert into group_day (user_id, group_id, day, focus_ms, status, settled_at)
      select id, ${groupId}, current_date - days, 3600000, 'kept', now()
      from ${members}, generate_series(2, ${GROUPS.attendanceKeptDays}::integer) as days`);
    await run(sql`
      insert into group_request (user_id, group_id, asked_at)
      select ${FIRST_OTHER}::bigint + 100 + n, ${groupId}, now()
      from generate_series(1, ${GROUPS.requestsMax}::integer) as n`);
    await run(sql`
      insert into group_excuse (user_id, group_id, day, said_at)
      select ${userId}, ${groupId}, current_date + days, now()
      from generate_series(1, ${GROUPS.excuseDaysMax}::integer) as days`);
    await run(sql`
      insert into group_session (group_id, days, from_minute, until_minute, made_at)
      select ${groupId}, '{1,2,3,4,5,6,7}', 0, 1439, now()
      from generate_series(1, ${GROUPS.sessionsMax}::integer)`);
    await run(sql`
      insert into group_session_day
        (user_id, session_id, day, group_id, starts_at, ends_at, is_coming, came_at)
      select member.id, session.id, current_date + step, ${groupId}, now(), now(), true, now()
      from ${members}, group_session as session, generate_series(-8, 8) as span (step)`);
    await run(sql`
      insert into group_member (group_id, user_id, is_leader, joined_at, joined_day)
      select ${groupId} + n, ${userId}, false, now(), current_date
      from generate_series(1, ${GROUPS.perLearnerMax - 1}::integer) as n`);
    await run(sql`set session_replication_role = origin`);
    return groupId;
  });
}
