import {
  DAY_MS,
  GROUPS,
  type GroupCard,
  type GroupChoices,
  type GroupId,
  type RoomId,
  type UserId,
} from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { isBlockedPair } from '../blocks/index.ts';
import { focusingLearners, latestVisitBegan } from '../focus/index.ts';
import { bannedUsers, suspendedUsers } from '../sanctions/index.ts';
import { leavingUsers, userCards } from '../users/index.ts';
import { groupToday } from './group-times.ts';

/** The columns of a group that cards show. */
export interface GroupRow extends GroupCard {
  readonly roomId: RoomId;
}

/** SQL for the rule of `g` as the contract has it. */
export const ruleOfGroup = sql`json_build_object(
  'kind', g.rule_kind, 'days', g.rule_days, 'minutes', g.rule_minutes,
  'fromMinute', g.rule_from, 'untilMinute', g.rule_until
)`;

/** SQL for "this learner is not waiting for the deletion of their account": others see nothing of those who are. */
export const isStaying = (userId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`${userId} not in ${leavingUsers}`;

/** SQL for "this member stays, and is not banned": a suspended leader leads again when the suspension ends. */
export const isActive = (userId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`${isStaying(userId)} and ${userId} not in ${bannedUsers}`;

/** SQL for "learners can enter `g` now": it has a leader, who can answer where entry needs that. */
export const isEntered = (now: Date): RawBuilder<boolean> => sql<boolean>`exists (
  select from group_member as leader
  where leader.group_id = g.id and leader.is_leader and ${isActive(sql.ref('leader.user_id'))}
    and (not g.needs_approval or leader.user_id not in ${suspendedUsers(now)})
)`;

/**
 * SQL for the columns of a GroupRow, from `g` of study_group. A member with a block is not among those in focus:
 * the number would show the reader their state.
 */
export const groupColumns = (readerId: UserId, now: Date) => sql`
  g.id as "groupId", g.room_id as "roomId", g.name, g.goal, g.category, g.exam_day::text as "examDay",
  ${ruleOfGroup} as rule, g.week_goal_minutes as "weekGoalMinutes", g.is_listed as "isListed",
  g.needs_approval as "needsApproval", g.has_ranks as "hasRanks", g.time_zone as "timeZone",
  g.day_start_minutes as "dayStartMinutes",
  (
    select count(*)::integer from group_member
    where group_id = g.id and ${isStaying(sql.ref('user_id'))}
  ) as members,
  (
    select count(*)::integer from group_member
    where group_id = g.id and user_id in ${focusingLearners(now)}
      and not ${isBlockedPair(readerId, sql.ref('user_id'))}
  ) as focusing`;

export function cardOf(row: GroupRow): GroupCard {
  const { groupId, name, goal, category, examDay, rule, weekGoalMinutes } = row;
  const { isListed, needsApproval, hasRanks, timeZone, dayStartMinutes, members, focusing } = row;
  return {
    ...{ groupId, name, goal, category, examDay, rule, weekGoalMinutes },
    ...{ isListed, needsApproval, hasRanks, timeZone, dayStartMinutes, members, focusing },
  };
}

/** SQL for the choices of a leader, in the order of `choiceColumns`. */
export function choiceValues(choices: GroupChoices): RawBuilder<unknown> {
  const { name, goal, category, examDay, rule, weekGoalMinutes } = choices;
  const days = [...new Set(rule.days)].toSorted((one, other) => one - other);
  return sql`
    ${name}, ${goal}, ${category}, ${examDay}::date, ${rule.kind}, ${days}::integer[],
    ${rule.minutes}::integer, ${rule.fromMinute}::integer, ${rule.untilMinute}::integer,
    ${weekGoalMinutes}::integer, ${choices.isListed}::boolean, ${choices.needsApproval}::boolean,
    ${choices.hasRanks}::boolean`;
}

export const choiceColumns = sql`
  name, goal, category, exam_day, rule_kind, rule_days, rule_minutes, rule_from, rule_until,
  week_goal_minutes, is_listed, needs_approval, has_ranks`;

/** A group that a statement has locked. */
export interface LockedGroup {
  readonly groupId: GroupId;
  readonly roomId: RoomId;
  readonly isListed: boolean;
  readonly needsApproval: boolean;
  readonly invitation: string;
}

/**
 * Locks a group: its members, leaders, rule and stored days change in this transaction only. Null if it has
 * ended.
 */
export async function lockGroup(db: Database, groupId: GroupId): Promise<LockedGroup | null> {
  const { rows } = await sql<LockedGroup>`
    select id as "groupId", room_id as "roomId", is_listed as "isListed",
           needs_approval as "needsApproval", invitation
    from study_group where id = ${groupId} for no key update`.execute(db);
  return rows[0] ?? null;
}

/** Learners declined before this may ask again. */
export const declinedSince = (now: Date) => new Date(now.getTime() - GROUPS.declinedDays * DAY_MS);

/** SQL for "a block stands between the learner and a leader of `g` who is not banned". */
export const isApartFromLeader = (
  learner: UserId | RawBuilder<unknown>,
): RawBuilder<boolean> => sql`exists (
  select from group_member as leader
  where leader.group_id = g.id and leader.is_leader and ${isActive(sql.ref('leader.user_id'))}
    and ${isBlockedPair(learner, sql.ref('leader.user_id'))}
)`;

/** SQL for the requests for entry to `g` that leaders see: all leaders the same. */
export const waitingRequests = sql`(
  select request.user_id, request.asked_at from group_request as request
  where request.group_id = g.id and request.declined_at is null
    and ${isStaying(sql.ref('request.user_id'))} and not ${isApartFromLeader(sql.ref('request.user_id'))}
)`;

/**
 * SQL for whether a nudge was sent today, by the day of a group or of the group in which it was sent.
 * @param nudge the relation with its columns.
 */
export const isOfToday = (nudge: string, groupId: GroupId, now: Date): RawBuilder<boolean> =>
  sql<boolean>`exists (
    select from study_group as g cross join lateral ${groupToday(now)} as today
    where g.id in (${groupId}, ${sql.ref(`${nudge}.group_id`)})
      and ${sql.ref(`${nudge}.nudged_at`)} >= today.begins_at
  )`;

/**
 * SQL for the nickname of the latest member who nudged a learner, the member `own` of `g`, today; null once the
 * learner has entered a room since.
 */
export const waitingNudge = (userId: UserId, now: Date): RawBuilder<string | null> => sql`(
  select card.nickname
  from group_nudge as nudge
  join group_member as nudger on nudger.group_id = g.id and nudger.user_id = nudge.from_id
  join ${userCards} as card on card.user_id = nudge.from_id
  where nudge.to_id = ${userId} and nudge.group_id = g.id and not own.refuses_nudges
    and ${isStaying(sql.ref('nudge.from_id'))}
    and nudge.nudged_at >= (select begins_at from ${groupToday(now)} as today)
    and not coalesce(${latestVisitBegan(userId)} >= nudge.nudged_at, false)
    and not ${isBlockedPair(userId, sql.ref('nudge.from_id'))}
  order by nudge.nudged_at desc limit 1
)`;
