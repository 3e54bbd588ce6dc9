import type { GroupId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { countedDays, openDays } from './group-times.ts';

/**
 * Keeps the total of a locked group as it is while members `m` join or leave: their focus of the days that are not
 * stored yet is taken off after they have joined, and added before they leave.
 */
export async function keepTotal(
  db: Database,
  groupId: GroupId,
  members: RawBuilder<unknown>,
  change: 'joined' | 'leaving',
  now: Date,
): Promise<void> {
  await sql`
    with ${openDays(groupId, now)}
    update study_group set settled_ms = settled_ms + ${change === 'leaving' ? 1 : -1}::integer * (
      select coalesce(sum(closed_ms), 0)::bigint
      from g join group_member as m on m.group_id = g.id
      cross join lateral ${countedDays(sql`m.user_id`, sql`d`, now)} as counted
      where ${members} and counted.day >= m.joined_day
    )
    where id = ${groupId}`.execute(db);
}
