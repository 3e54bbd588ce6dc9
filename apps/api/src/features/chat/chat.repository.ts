import {
  CHAT_QUOTE_MAX_LENGTH,
  type ChatMessage,
  type ChatPosition,
  type ChatQuote,
  chatMessageId,
  parseChatMessageId,
  type ReactionChange,
  type RoomId,
  type UserId,
  WITHHELD_SENDER_ID,
} from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import { type Database, deleteInSlices } from '../../platform/database/index.ts';
import type { Gathering } from '../realtime/index.ts';
import { leavingUsers, userCards } from '../users/index.ts';
import { reactionJson } from './reactions.repository.ts';

/** A message before it has a place in its room's order. */
export interface NewMessage {
  readonly roomId: RoomId;
  readonly epoch: number;
  readonly senderId: UserId;
  readonly clientId: string;
  readonly content: string;
  /** The message that it answers. */
  readonly quote: ChatQuote | null;
}

/** A message with its place. */
export interface StoredMessage extends ChatPosition {
  readonly message: ChatMessage;
}

/** The result of storing a batch. */
interface Appended {
  /**
   * The place of each message of the batch, in their order. A resend keeps its earlier place, perhaps in
   * another room or gathering; null: its sender is deleted or leaving.
   */
  readonly places: readonly (ChatPosition | null)[];
  /** The new ones, room by room in the order of their numbers. */
  readonly stored: readonly StoredMessage[];
}

interface MessageRow {
  readonly room_id: RoomId;
  readonly epoch: number;
  readonly number: number;
  readonly sender_id: UserId;
  /** The client's own id of the message, by which a resend is recognised. */
  readonly client_id: string;
  readonly content: string;
  /** The message of the same gathering that this one answers; it may be deleted. */
  readonly quoted_number: number | null;
  readonly nickname: string;
  readonly profile_image: string;
  readonly sent_at: Date;
}

type AppendedRow = Omit<MessageRow, 'content' | 'sent_at' | 'quoted_number'> & { is_new: boolean };

/** A message read with the one that it answers; null where that is deleted. */
interface ReadRow extends MessageRow {
  readonly quoted_sender: UserId | null;
  readonly quoted_name: string | null;
  readonly quoted_text: string | null;
}

const positionOf = (row: Pick<MessageRow, 'room_id' | 'epoch' | 'number'>): ChatPosition => ({
  roomId: row.room_id,
  epoch: row.epoch,
  number: row.number,
});

/** The place of a quoted message that is deleted. */
export const goneQuote = (id: string): ChatQuote => ({
  id,
  senderId: WITHHELD_SENDER_ID,
  nickname: '',
  content: '',
  hidden: 'gone',
});

function toStored(row: Omit<MessageRow, 'quoted_number'>, quote: ChatQuote | null): StoredMessage {
  const position = positionOf(row);
  return {
    ...position,
    message: {
      senderId: row.sender_id,
      roomId: row.room_id,
      content: row.content,
      timestamp: row.sent_at.toISOString(),
      nickname: row.nickname,
      profileImage: row.profile_image,
      id: chatMessageId(position),
      ...(quote && { quote }),
    },
  };
}

function toRead(row: ReadRow): StoredMessage {
  if (row.quoted_number === null) return toStored(row, null);
  const id = chatMessageId({ ...positionOf(row), number: row.quoted_number });
  const { quoted_sender: senderId, quoted_name: nickname, quoted_text: content } = row;
  const isThere = senderId !== null && nickname !== null && content !== null;
  return toStored(row, isThere ? { id, senderId, nickname, content } : goneQuote(id));
}

/** SQL for messages with those that they answer. */
const withQuotes = (messages: RawBuilder<unknown>) => sql`
  select message.*, quoted.sender_id as quoted_sender, quoted.nickname as quoted_name,
         left(quoted.content, ${CHAT_QUOTE_MAX_LENGTH}) as quoted_text
  from ${messages} as message
  left join chat_message as quoted
    on quoted.room_id = message.room_id and quoted.epoch = message.epoch
   and quoted.number = message.quoted_number and quoted.sender_id not in ${leavingUsers}
  order by message.room_id, message.number`;

function quotedNumber({ quote }: NewMessage): number | null {
  return quote && (parseChatMessageId(quote.id)?.number ?? null);
}

/** The only queries on chat messages. */
export function createChatRepository(db: Database) {
  return {
    /**
     * Stores a batch in one statement: each room's counter moves once, in the order of rooms so that two
     * processes cannot deadlock, and numbers follow the order of the batch. A stored message keeps its place.
     * A message of a deleted or leaving sender has none.
     */
    async append(messages: readonly NewMessage[], now: Date): Promise<Appended> {
      const column = <Value>(of: (message: NewMessage) => Value) => messages.map(of);
      const { rows } = await sql<AppendedRow>`
        with given as (
          select * from unnest(
            ${column((m) => m.roomId)}::bigint[], ${column((m) => m.epoch)}::integer[],
            ${column((m) => m.senderId)}::bigint[], ${column((m) => m.clientId)}::text[],
            ${column((m) => m.content)}::text[], ${column(quotedNumber)}::bigint[]
          ) with ordinality
            as given (room_id, epoch, sender_id, client_id, content, quoted_number, place)
        ), known as (
          -- One look into the index a message, also by a plan made while the table was empty.
          select stored.* from given cross join lateral (
            select room_id, epoch, number, sender_id, client_id, nickname, profile_image
            from chat_message
            where chat_message.sender_id = given.sender_id
              and chat_message.client_id = given.client_id
            limit 1
          ) as stored
        ), fresh as (
          select distinct on (sender_id, client_id) given.*, card.nickname, card.profile_image
          from given join ${userCards} as card on card.user_id = given.sender_id
          where not card.is_leaving and not exists (
            select from known
            where known.sender_id = given.sender_id and known.client_id = given.client_id
          )
          order by sender_id, client_id, place
        ), counts as (
          select room_id, epoch, count(*) as messages from fresh group by room_id, epoch
        ), counted as (
          insert into chat_counter (room_id, epoch, last_number)
          select room_id, epoch, messages from counts order by room_id, epoch
          on conflict (room_id, epoch)
            do update set last_number = chat_counter.last_number + excluded.last_number
          returning room_id, epoch, last_number
        ), stored as (
          insert into chat_message
            (room_id, epoch, number, sender_id, client_id, content, quoted_number, nickname,
             profile_image, sent_at)
          select room_id, epoch,
                 last_number - messages
                   + row_number() over (partition by room_id, epoch order by place),
                 sender_id, client_id, content, quoted_number, nickname, profile_image, ${now}
          from fresh join counts using (room_id, epoch) join counted using (room_id, epoch)
          returning room_id, epoch, number, sender_id, client_id, nickname, profile_image
        )
        select * from (
          select *, true as is_new from stored union all select *, false as is_new from known
        ) as placed
        order by room_id, number`.execute(db);
      const keyOf = (senderId: UserId, clientId: string) => `${senderId} ${clientId}`;
      const rowsByKey = new Map(rows.map((row) => [keyOf(row.sender_id, row.client_id), row]));
      // If a resend is twice in the batch, the first is stored.
      const given = new Map(
        messages.toReversed().map((m) => [keyOf(m.senderId, m.clientId), m] as const),
      );
      return {
        places: messages.map(({ senderId, clientId }) => {
          const row = rowsByKey.get(keyOf(senderId, clientId));
          return row ? positionOf(row) : null;
        }),
        stored: [...rowsByKey].flatMap(([key, { is_new, ...row }]) => {
          const { content = '', quote = null } = given.get(key) ?? {};
          return is_new ? [toStored({ ...row, content, sent_at: now }, quote)] : [];
        }),
      };
    },

    /** The message at a position as a reply quotes it, or null if there is none. */
    async findQuote(position: ChatPosition): Promise<ChatQuote | null> {
      const { roomId, epoch, number } = position;
      const { rows } = await sql<Omit<ChatQuote, 'id'>>`
        select sender_id as "senderId", nickname,
               left(content, ${CHAT_QUOTE_MAX_LENGTH}) as content
        from chat_message
        where room_id = ${roomId} and epoch = ${epoch} and number = ${number}
          and sender_id not in ${leavingUsers}`.execute(db);
      return rows[0] ? { id: chatMessageId(position), ...rows[0] } : null;
    },

    /** The newest messages of gatherings, at most `limit` each, oldest first. */
    async findLatest(gatherings: readonly Gathering[], limit: number): Promise<StoredMessage[]> {
      const { rows } = await sql<ReadRow>`${withQuotes(sql`(
        select page.* from unnest(
          ${gatherings.map((g) => g.roomId)}::bigint[], ${gatherings.map((g) => g.epoch)}::integer[]
        ) as asked (room_id, epoch)
        cross join lateral (
          select * from chat_message
          where chat_message.room_id = asked.room_id and chat_message.epoch = asked.epoch
            and sender_id not in ${leavingUsers}
          order by number desc limit ${limit}
        ) as page
      )`)}`.execute(db);
      return rows.map(toRead);
    },

    /** The messages after positions of different gatherings, at most `limit` each, oldest first. */
    async findSince(positions: readonly ChatPosition[], limit: number): Promise<StoredMessage[]> {
      const { rows } = await sql<ReadRow>`${withQuotes(sql`(
        select missed.* from unnest(
          ${positions.map((p) => p.roomId)}::bigint[], ${positions.map((p) => p.epoch)}::integer[],
          ${positions.map((p) => p.number)}::bigint[]
        ) as asked (room_id, epoch, number)
        cross join lateral (
          select * from chat_message
          where chat_message.room_id = asked.room_id and chat_message.epoch = asked.epoch
            and chat_message.number > asked.number and sender_id not in ${leavingUsers}
          order by number limit ${limit}
        ) as missed
      )`)}`.execute(db);
      return rows.map(toRead);
    },

    /** The messages before a position, oldest first, at most `limit`, and the reactions to them. */
    async findBefore(position: ChatPosition, limit: number) {
      const { roomId, epoch, number } = position;
      type Row = ReadRow & { readonly reactions: readonly ReactionChange[] | null };
      const { rows } = await sql<Row>`
        select page.*, (
          select json_agg(${reactionJson})
          from chat_reaction
          where chat_reaction.room_id = page.room_id and chat_reaction.epoch = page.epoch
            and chat_reaction.message_number = page.number and reaction is not null
            and user_id not in ${leavingUsers}
        ) as reactions
        from (${withQuotes(sql`(
          select * from chat_message
          where room_id = ${roomId} and epoch = ${epoch} and number < ${number}
            and sender_id not in ${leavingUsers}
          order by number desc limit ${limit}
        )`)}) as page
        order by page.number`.execute(db);
      return {
        messages: rows.map(toRead),
        reactions: rows.flatMap(({ reactions }) => reactions ?? []),
      };
    },

    /** The last number given in gatherings; one without messages is missing. */
    async findLastNumbers(gatherings: readonly Gathering[]): Promise<ChatPosition[]> {
      const { rows } = await sql<ChatPosition>`
        select room_id as "roomId", epoch, last_number as number
        from chat_counter join unnest(
          ${gatherings.map((g) => g.roomId)}::bigint[], ${gatherings.map((g) => g.epoch)}::integer[]
        ) as asked (room_id, epoch) using (room_id, epoch)`.execute(db);
      return rows;
    },

    /** Those of these senders whose accounts are deleted, or going to be. */
    async findHidden(senders: readonly UserId[]): Promise<UserId[]> {
      const { rows } = await sql<{ userId: UserId }>`
        select id as "userId" from unnest(${senders}::bigint[]) as id
        left join ${userCards} as card on card.user_id = id
        where coalesce(card.is_leaving, true)`.execute(db);
      return rows.map(({ userId }) => userId);
    },

    deleteSentBefore: (until: Date) => deleteInSlices(db, 'chat_message', sql`sent_at < ${until}`),

    /** Deletes the counters of ended gatherings without messages. */
    deleteIdleCounters: () =>
      deleteInSlices(
        db,
        'chat_counter',
        sql`
          exists (
            select from gathering
            where gathering.room_id = chat_counter.room_id and chat_counter.epoch < gathering.epoch
          ) and not exists (
            select from chat_message as message
            where message.room_id = chat_counter.room_id and message.epoch = chat_counter.epoch
          )`,
      ),
  };
}

export type ChatRepository = ReturnType<typeof createChatRepository>;
