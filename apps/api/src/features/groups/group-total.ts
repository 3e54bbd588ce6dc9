import type { GroupId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { countedDays, openDays } from './group-times.ts';

/**
 * Keeps the total of a locked group as it is while members `m` leave: their focus of the days that are not stored yet
 * is added before they leave.
 */
export async function keepTotal(
  db: Database,
  groupId: GroupId,
  members: RawBuilder<unknown>,
  now: Date,
): Promise<void> {
  await sql`
    with ${openDays(groupId, now)}
    update study_group set settled_ms = settled_ms + (
      select coalesce(sum(total_ms), 0)::bigint
      from g join group_member as m on m.group_id = g.id
      cross join lateral ${countedDays(sql`d`, now)} as counted
      where ${members}
    )
    where id = ${groupId}`.execute(db);
}
