import { REPORT_WITHIN_MS, type RoomId, type UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import type { ReportedText } from '../groups/index.ts';

/** Number of messages of the room stored with a report (design §9). */
const MESSAGES = 50;
/** A learner enters rooms ten times a minute at most (design §9): older visits ended before. */
const LATEST_VISITS = 100;

/** A chat message in the evidence of a report, as it was then. */
export interface EvidenceMessage {
  readonly senderId: UserId;
  readonly nickname: string;
  readonly content: string;
  /** ISO 8601. */
  readonly sentAt: string;
  /** In its room; reports from before replies have none. */
  readonly number?: number;
  /** The number of the message that it answers. */
  readonly quotedNumber?: number;
}

/** A learner present in the room, in the evidence of a report. */
export interface EvidenceStatus {
  readonly userId: UserId;
  readonly nickname: string;
  readonly status: 'idle' | 'focus' | 'pause' | 'away';
  /** Since when, and when they left, if so: ISO 8601. */
  readonly since: string;
  readonly leftAt: string | null;
  /** On the tile of the reported learner, if they showed it. */
  readonly subject?: string;
}

/** A reporter's claim that the two were in one room. */
interface SharedRoom {
  readonly reporterId: UserId;
  readonly reportedId: UserId;
  readonly roomId: RoomId;
  readonly now: Date;
}

function latestVisits(userId: UserId, { roomId }: SharedRoom): RawBuilder<unknown> {
  return sql`(
    select * from (
      select id, room_id, began_at, ended_at from visit where user_id = ${userId}
      order by id desc limit ${LATEST_VISITS}
    ) as latest
    where room_id = ${roomId}
  )`;
}

/**
 * Parts of a WITH clause. `shared`: the last time in which both were in the room, if it lasted until ten
 * minutes ago or longer, otherwise no row: reported_visit_id, began_at, and left_at, when the reporter left
 * (null: has not). `evidence`: one row of messages and statuses, as `EvidenceMessage` and `EvidenceStatus`:
 * the last messages that the reporter could read, and the learners seated now, with the reported person,
 * who may have come back, and the subject on the tile of that person.
 */
export function evidenceOf(claim: SharedRoom, subject?: string): RawBuilder<unknown> {
  const { reporterId, reportedId, roomId, now } = claim;
  const since = new Date(now.getTime() - REPORT_WITHIN_MS);
  return sql`
    shared as (
      select reported.id as reported_visit_id, greatest(own.began_at, reported.began_at) as began_at,
             own.ended_at as left_at
      from ${latestVisits(reporterId, claim)} as own
      join ${latestVisits(reportedId, claim)} as reported
        on own.began_at <= coalesce(reported.ended_at, 'infinity')
       and reported.began_at <= coalesce(own.ended_at, 'infinity')
      where least(own.ended_at, reported.ended_at, ${now}) >= ${since}
      order by least(own.ended_at, reported.ended_at, ${now}) desc
      limit 1
    ),
    -- The conversation that the two took part in: a room that has emptied begins another.
    gathering as (
      select case when shared.left_at is null then present.epoch else newest.epoch end as epoch
      from shared join gathering as present on present.room_id = ${roomId}
      left join lateral (
        select epoch, sent_at from chat_message
        where room_id = ${roomId} and sent_at <= shared.left_at
        order by epoch desc, number desc limit 1
      ) as newest on newest.sent_at >= shared.began_at
    ),
    evidence as (
      select coalesce(said.messages, '[]') as messages, coalesce(present.statuses, '[]') as statuses
      from shared
      cross join lateral (
        select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('senderId', sender_id,
                 'nickname', nickname, 'content', content, 'sentAt', sent_at, 'number', number,
                 'quotedNumber', quoted_number)) order by number) as messages
        from (
          select * from chat_message
          where room_id = ${roomId} and epoch = (select epoch from gathering)
            and sent_at <= coalesce(shared.left_at, 'infinity')
          order by number desc limit ${MESSAGES}
        ) as last_messages
      ) as said
      cross join lateral (
        select jsonb_agg(jsonb_build_object('userId', visit.user_id, 'nickname', users.nickname,
                 'status', visit.status, 'since', visit.since, 'leftAt', visit.ended_at)
                 || case when visit.user_id = ${reportedId} then ${JSON.stringify({ subject })}::jsonb else '{}' end
                 order by visit.user_id) as statuses
        from (
          select distinct on (user_id) * from visit
          where id = shared.reported_visit_id or ended_at is null and user_id in (
            select user_id from seat where room_id = ${roomId}
          )
          order by user_id, id desc
        ) as visit
        join users on users.id = visit.user_id
      ) as present
    )`;
}

/** The texts of a group with their authors, and the reported one. */
export interface GroupTexts {
  readonly groupName: string;
  readonly reported: ReportedText & { readonly nickname: string };
  readonly texts: readonly {
    readonly authorId: UserId;
    readonly nickname: string;
    readonly content: string;
  }[];
}

/** Parts of a WITH clause like `evidenceOf`, for the texts of a group: as if their authors had said them. */
export function evidenceOfTexts(
  { reportedId, now }: SharedRoom,
  { groupName, reported, texts }: GroupTexts,
): RawBuilder<unknown> {
  const at = now.toISOString();
  const { groupId, kind, content: reportedText, nickname } = reported;
  const messages = texts.map(({ authorId, nickname: name, content }) => ({
    ...{ senderId: authorId, nickname: name, content, sentAt: at },
  }));
  // The reporter reads the name of the group in their list: a block may hide the author from them.
  const status = {
    userId: reportedId,
    nickname,
    groupName,
    groupText: { groupId, kind, content: reportedText },
    status: 'idle',
    since: at,
    leftAt: null,
  };
  return sql`
    shared as (select),
    evidence as (
      select ${JSON.stringify(messages)}::jsonb as messages, ${JSON.stringify([status])}::jsonb as statuses
    )`;
}

/**
 * SQL for the present board of the two: elements, and their authors and editors, as in `report_board`; both
 * null if there is none. If the reporter has left, without later changes. To be used after `evidenceOf`.
 */
export function boardOf({ roomId }: SharedRoom): RawBuilder<unknown> {
  return sql`(
    select json_agg(drawn.element order by drawn.number) as elements, (
      select jsonb_agg(jsonb_build_object('userId', id, 'nickname', nickname) order by id)
      from users where id = any (array_agg(drawn.author_id))
        or id = any (array_agg((element #>> '{customData,changedById}')::bigint))
    ) as authors
    from (
      select number, author_id, json::jsonb as element
      from board_element cross join shared
      -- 0: the one board of a hosted room.
      where room_id = ${roomId} and epoch in (0, (select epoch from gathering)) and not is_deleted
        and changed_at <= coalesce(shared.left_at, 'infinity')
    ) as drawn
  )`;
}
