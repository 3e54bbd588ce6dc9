import {
  type ChatMessage,
  type ChatPosition,
  chatMessageId,
  type RoomId,
  type UserId,
} from '@mogakgong/contract';
import { type Selectable, sql } from 'kysely';
import { type Database, deleteInSlices } from '../../platform/database/index.ts';
import type { Gathering } from '../realtime/index.ts';
import { leavingUsers, userCards } from '../users/index.ts';
import type { ChatTables } from './chat.tables.ts';

/** A message before it has a place in its room's order. */
export interface NewMessage {
  readonly roomId: RoomId;
  readonly epoch: number;
  readonly senderId: UserId;
  readonly clientId: string;
  readonly content: string;
}

/** A message with its place. */
export interface StoredMessage extends ChatPosition {
  readonly message: ChatMessage;
}

/** The result of storing a batch. */
interface Appended {
  /**
   * The place of each message of the batch, in their order. A resend keeps its earlier place, perhaps in
   * another room or gathering; null: its sender does not exist.
   */
  readonly places: readonly (ChatPosition | null)[];
  /** The new ones, room by room in the order of their numbers. */
  readonly stored: readonly StoredMessage[];
}

type MessageRow = Selectable<ChatTables['chat_message']>;
type AppendedRow = Omit<MessageRow, 'content' | 'sent_at'> & { readonly is_new: boolean };

const positionOf = (row: Pick<MessageRow, 'room_id' | 'epoch' | 'number'>): ChatPosition => ({
  roomId: row.room_id,
  epoch: row.epoch,
  number: row.number,
});

function toStored(row: MessageRow): StoredMessage {
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
    },
  };
}

/** The only queries on chat messages. */
export function createChatRepository(database: Database) {
  const db = database.withTables<ChatTables>();
  return {
    /**
     * Stores a batch in one statement: each room's counter moves once, in the order of rooms so that two
     * processes cannot deadlock, and numbers follow the order of the batch. A stored message keeps its place.
     * A message of a deleted sender has none.
     */
    async append(messages: readonly NewMessage[], now: Date): Promise<Appended> {
      const column = <Value>(of: (message: NewMessage) => Value) => messages.map(of);
      const { rows } = await sql<AppendedRow>`
        with given as (
          select * from unnest(
            ${column((m) => m.roomId)}::bigint[], ${column((m) => m.epoch)}::integer[],
            ${column((m) => m.senderId)}::bigint[], ${column((m) => m.clientId)}::text[],
            ${column((m) => m.content)}::text[]
          ) with ordinality as given (room_id, epoch, sender_id, client_id, content, place)
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
          where not exists (
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
            (room_id, epoch, number, sender_id, client_id, content, nickname, profile_image, sent_at)
          select room_id, epoch,
                 last_number - messages
                   + row_number() over (partition by room_id, epoch order by place),
                 sender_id, client_id, content, nickname, profile_image, ${now}
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
      const contents = new Map(
        messages.toReversed().map((m) => [keyOf(m.senderId, m.clientId), m.content]),
      );
      return {
        places: messages.map(({ senderId, clientId }) => {
          const row = rowsByKey.get(keyOf(senderId, clientId));
          return row ? positionOf(row) : null;
        }),
        stored: [...rowsByKey].flatMap(([key, { is_new, ...row }]) =>
          is_new ? [toStored({ ...row, content: contents.get(key) ?? '', sent_at: now })] : [],
        ),
      };
    },

    /** The newest messages of gatherings, at most `limit` each, oldest first. */
    async findLatest(gatherings: readonly Gathering[], limit: number): Promise<StoredMessage[]> {
      const { rows } = await sql<MessageRow>`
        select page.* from unnest(
          ${gatherings.map((g) => g.roomId)}::bigint[], ${gatherings.map((g) => g.epoch)}::integer[]
        ) as asked (room_id, epoch)
        cross join lateral (
          select * from chat_message
          where chat_message.room_id = asked.room_id and chat_message.epoch = asked.epoch
            and sender_id not in ${leavingUsers}
          order by number desc limit ${limit}
        ) as page
        order by page.room_id, page.number`.execute(db);
      return rows.map(toStored);
    },

    /** The messages after positions of different gatherings, at most `limit` each, oldest first. */
    async findSince(positions: readonly ChatPosition[], limit: number): Promise<StoredMessage[]> {
      const { rows } = await sql<MessageRow>`
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
        order by missed.room_id, missed.number`.execute(db);
      return rows.map(toStored);
    },

    /** The messages before a position, oldest first, at most `limit`. */
    async findBefore(position: ChatPosition, limit: number): Promise<StoredMessage[]> {
      const rows = await db
        .selectFrom('chat_message')
        .selectAll()
        .where('room_id', '=', position.roomId)
        .where('epoch', '=', position.epoch)
        .where('number', '<', position.number)
        .where(sql<boolean>`sender_id not in ${leavingUsers}`)
        .orderBy('number', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toStored).reverse();
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
