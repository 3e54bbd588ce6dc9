import type { UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import {
  type Database,
  deleteInSlices,
  forEachDue,
  LARGE_ROWS,
} from '../../platform/database/index.ts';
import { isHostedRoom } from '../hosting/index.ts';
import type { Gathering } from '../realtime/index.ts';
import {
  type BoardKey,
  type BoardPosition,
  lockBoards,
  purgeDeleted,
  type StoredChanges,
} from './board-rows.ts';
import { deleteMadeBy } from './delete-made-by.ts';
import type { StoredElement } from './merge-changes.ts';
import { type NewChanges, type StoreResult, storeChanges } from './store-changes.ts';

/** The epoch of the board of a hosted room. */
export const HOSTED_EPOCH = 0;

/** A board after a position: the changes since, or all of it; deleted elements included. */
export interface BoardContent extends BoardKey, BoardPosition {
  /** Whether `elements` is complete. */
  readonly isWhole: boolean;
  /** The number up to which rows of deleted elements may be missing. */
  readonly purgedNumber: number;
  /** In the order of the numbers of their last changes. */
  readonly elements: readonly NumberedElement[];
}

export interface NumberedElement extends StoredElement {
  /** The number of the board at the last change of the element. */
  readonly number: number;
  /** The bytes of its JSON. */
  readonly bytes: number;
}

interface ContentRow extends BoardKey, BoardPosition, Omit<NumberedElement, 'number'> {
  readonly isWhole: boolean;
  readonly purgedNumber: number;
  /** Null, like the other fields of an element, if the board has none after the position. */
  readonly elementNumber: number | null;
}

/** SQL for the epoch of the board of `gathering`: the one rule that maps rooms to boards. */
const boardEpoch = sql<number>`
  case when ${isHostedRoom(sql.ref('gathering.room_id'))} then 0 else gathering.epoch end`;

/** SQL for "this board belongs to this gathering": a room is hosted always or never. */
const isBoardOf = ({ roomId, epoch }: Gathering): RawBuilder<boolean> => sql`
  board.room_id = ${roomId} and board.epoch in (0, ${epoch})`;

/** The only queries on boards. */
export function createBoardRepository(db: Database) {
  return {
    /** The board of a gathering, created if necessary. Null: the gathering has ended. */
    async open(gathering: Gathering, now: Date): Promise<(BoardKey & BoardPosition) | null> {
      const { roomId, epoch } = gathering;
      await sql`
        insert into board (room_id, epoch, changed_at)
        select room_id, ${boardEpoch}, ${now} from gathering
        where room_id = ${roomId} and epoch = ${epoch}
        on conflict (room_id, epoch) do nothing`.execute(db);
      const { rows } = await sql<BoardKey & BoardPosition>`
        select room_id as "roomId", epoch, generation, number from board where ${isBoardOf(gathering)}`.execute(
        db,
      );
      return rows[0] ?? null;
    },

    /**
     * The board of a gathering after a position; all of it without a position, or if the board was replaced
     * since, or if a later deletion is no longer stored. Null: there is no board.
     */
    async findContent(
      gathering: Gathering,
      since: BoardPosition | null,
    ): Promise<BoardContent | null> {
      const { rows } = await sql<ContentRow>`
        select board.room_id as "roomId", board.epoch, board.generation, board.number,
               board.purged_number as "purgedNumber", asked.is_whole as "isWhole", e.id, e.version,
               e.version_nonce as "versionNonce", e.is_deleted as "isDeleted",
               e.author_id as "authorId", e.json, e.bytes, e.number as "elementNumber"
        from board cross join lateral (
          select generation <> ${since?.generation ?? 0}
                 or ${since?.number ?? 0} not between purged_number and number as is_whole
        ) as asked
        left join lateral (
          select * from board_element
          -- Does not look at the elements of a board that has not changed.
          where (asked.is_whole or board.number > ${since?.number ?? 0})
            and board_element.room_id = board.room_id and board_element.epoch = board.epoch
            and (asked.is_whole or board_element.number > ${since?.number ?? 0})
          offset 0
        ) as e on true
        where ${isBoardOf(gathering)}
        order by e.number`.execute(db);
      const [board] = rows;
      if (!board) return null;
      const { roomId, epoch, generation, number, purgedNumber, isWhole } = board;
      const elements = rows.flatMap((row) => {
        if (row.elementNumber === null) return [];
        const { id, version, versionNonce, isDeleted, authorId, json, bytes } = row;
        const revision = { id, version, versionNonce, isDeleted };
        return { ...revision, authorId, json, bytes, number: row.elementNumber };
      });
      return { roomId, epoch, generation, number, purgedNumber, isWhole, elements };
    },

    /** The present number of the boards of gatherings; one without a board is missing. */
    async findNumbers(gatherings: readonly Gathering[]) {
      const { rows } = await sql<Gathering & { number: number }>`
        select room_id as "roomId", asked.epoch, number from board join unnest(
          ${gatherings.map((g) => g.roomId)}::bigint[], ${gatherings.map((g) => g.epoch)}::integer[]
        ) as asked (room_id, epoch) using (room_id)
        where board.epoch in (0, asked.epoch)`.execute(db);
      return rows;
    },

    /** Stores the messages of several learners. A repeated one changes nothing. */
    store(sent: readonly NewChanges[], now: Date): Promise<StoreResult> {
      return db.transaction().execute((transaction) => storeChanges(transaction, sent, now));
    },

    /** Forgets elements that were deleted before `until`. */
    async purgeDeletedBefore(until: Date): Promise<void> {
      const isOld = sql`is_deleted and changed_at < ${until}`;
      const { rows } = await sql<BoardKey & { generation: number }>`
        select room_id as "roomId", epoch, generation from board join (
          select distinct room_id, epoch from board_element where ${isOld}
        ) as asked using (room_id, epoch)`.execute(db);
      await forEachDue(rows, (board) =>
        db.transaction().execute(async (transaction) => {
          await lockBoards(transaction, [board.generation]);
          await purgeDeleted(transaction, board, isOld);
        }),
      );
    },

    /** Deletes the boards of ended gatherings and of closed hosted rooms. */
    deleteEnded: () =>
      deleteInSlices(
        db,
        'board',
        sql`exists (
          select from gathering where gathering.room_id = board.room_id and case
            when board.epoch = 0 then is_closed else board.epoch < gathering.epoch end)`,
        LARGE_ROWS,
      ),

    /** The generations of the boards with elements of a learner, deleted or not. */
    async findDrawnOn(userId: UserId): Promise<number[]> {
      const { rows } = await sql<{ generation: number }>`
        select generation from board join (
          select distinct room_id, epoch from board_element where author_id = ${userId}
        ) as drawn using (room_id, epoch)`.execute(db);
      return rows.map(({ generation }) => generation);
    },

    /**
     * Deletes the rows of a learner's elements on a board; returns the changes for clients that have it open.
     */
    deleteMadeBy(generation: number, userId: UserId, now: Date): Promise<readonly StoredChanges[]> {
      return db
        .transaction()
        .execute((transaction) => deleteMadeBy(transaction, { generation, userId }, now));
    },
  };
}

export type BoardRepository = ReturnType<typeof createBoardRepository>;
