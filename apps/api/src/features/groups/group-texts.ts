import {
  type GroupId,
  type GroupTextKind,
  type RoomId,
  type UserId,
  WITHDRAWN_GROUP_NAME,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { userCards } from '../users/index.ts';
import { isActive } from './group-rows.ts';

/** A text of a group that is not empty. */
interface AuthoredText {
  readonly roomId: RoomId;
  readonly kind: GroupTextKind;
  readonly content: string;
  readonly authorId: UserId;
  readonly nickname: string;
}

/**
 * The texts of a group for a report, each with its author, who may have left the group; of a text without author,
 * the leader of longest standing who can lead. None without a group; a name that was taken away is nobody's.
 */
export async function findTexts(database: Database, groupId: GroupId): Promise<AuthoredText[]> {
  const { rows } = await sql<AuthoredText>`
    select g.room_id as "roomId", kind, content, author.id as "authorId", card.nickname
    from study_group as g
    cross join lateral (
      select user_id from group_member as m where m.group_id = g.id and m.is_leader
      order by ${isActive(sql.ref('m.user_id'))} desc, m.joined_at, m.user_id limit 1
    ) as leader
    cross join lateral (
      values (1, 'name', g.name, g.name_by), (2, 'goal', g.goal, g.goal_by),
      (3, 'notice', g.notice, g.notice_by)
    ) as text (place, kind, content, written_by)
    cross join lateral (select coalesce(written_by, leader.user_id) as id) as author
    join ${userCards} as card on card.user_id = author.id
    where g.id = ${groupId} and content not in ('', ${WITHDRAWN_GROUP_NAME}) order by place`.execute(
    database,
  );
  return rows;
}

/** A text of a group that was reported, as it was then. */
export interface ReportedText {
  readonly groupId: GroupId;
  readonly kind: GroupTextKind;
  readonly content: string;
}

/**
 * Takes a text from a group that still has it, and its author from the text.
 * @returns the group as it is then; null if it has another text by now, or has ended.
 */
export async function withdrawText(db: Database, { groupId, kind, content }: ReportedText) {
  const [text, author] = [sql.ref(kind), sql.ref(`${kind}_by`)];
  const { rows } = await sql<{ roomId: RoomId; name: string; goal: string }>`
    update study_group
    set ${text} = ${kind === 'name' ? WITHDRAWN_GROUP_NAME : ''}, ${author} = null
        ${kind === 'notice' ? sql`, notice_at = null` : sql``}
    where id = ${groupId} and ${text} = ${content}
    returning room_id as "roomId", name, goal`.execute(db);
  return rows[0] ?? null;
}
