import {
  BOARD_VERSION_EVERY_MS,
  BOARD_VERSIONS_KEPT_MS,
  type BoardVersion,
  type UserId,
} from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import { type Database, deleteInSlices, LARGE_ROWS } from '../../platform/database/index.ts';
import type { BoardKey } from './board-rows.ts';

/**
 * Maximum total size of the versions of one board: the oldest are deleted. Only a board of maximum size that
 * changes for two hours reaches it.
 */
const VERSIONS_MAX_BYTES = 48 * 1024 * 1024;

/** SQL for "this row is of this board". */
const ofBoard = (table: string, { roomId, epoch }: BoardKey): RawBuilder<boolean> => sql`
  ${sql.ref(`${table}.room_id`)} = ${roomId} and ${sql.ref(`${table}.epoch`)} = ${epoch}`;

/** SQL for "no vote is about this version". */
const hasNoVote = sql`not exists (select from board_vote where version_id = board_version.id)`;

const keptSince = (now: Date) => new Date(now.getTime() - BOARD_VERSIONS_KEPT_MS);

/** Keeps the present board as a version, unless it is empty or kept already. */
export async function takeVersion(db: Database, board: BoardKey, now: Date): Promise<void> {
  await sql`
    insert into board_version (room_id, epoch, number, taken_at, elements, element_count, bytes,
                               author_ids, image_ids)
    select board.room_id, board.epoch, board.number, ${now}, json_agg(element.json::json), count(*),
           sum(element.bytes), array_agg(distinct author_id),
           array_remove(array_agg(distinct element.json::json ->> 'fileId'), null)
    from board join board_element as element
      on element.room_id = board.room_id and element.epoch = board.epoch and not is_deleted
    where ${ofBoard('board', board)}
    group by board.room_id, board.epoch, board.number
    on conflict do nothing`.execute(db);
}

/** Whether a version of this board can be restored. */
export async function hasVersion(
  db: Database,
  board: BoardKey,
  versionId: number,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    select from board_version
    where id = ${versionId} and ${ofBoard('board_version', board)}
      and taken_at > ${keptSince(now)}`.execute(db);
  return rows.length > 0;
}

/** The queries on versions of boards. */
export function createBoardVersionsRepository(database: Database) {
  return {
    /** Newest first. */
    async findVersions(board: BoardKey, now: Date): Promise<BoardVersion[]> {
      const { rows } = await sql<{ id: number; takenAt: Date; elements: number }>`
        select id, taken_at as "takenAt", element_count as elements from board_version
        where ${ofBoard('board_version', board)} and taken_at > ${keptSince(now)}
        order by id desc`.execute(database);
      return rows.map(({ takenAt, ...version }) => ({
        ...version,
        takenAt: takenAt.toISOString(),
      }));
    },

    /** The boards that have changed since their last version, which is old enough. */
    async findDue(now: Date): Promise<BoardKey[]> {
      const { rows } = await sql<BoardKey>`
        select board.room_id as "roomId", board.epoch
        from board left join lateral (
          select number, taken_at from board_version as version
          where version.room_id = board.room_id and version.epoch = board.epoch
          order by number desc limit 1
        ) as last on true
        where board.number > coalesce(last.number, 0)
          and coalesce(last.taken_at, '-infinity')
              <= ${new Date(now.getTime() - BOARD_VERSION_EVERY_MS)}`.execute(database);
      return rows;
    },

    /**
     * Keeps the present board as a version; the oldest versions are deleted if all together are too large.
     */
    async take(board: BoardKey, now: Date): Promise<void> {
      await takeVersion(database, board, now);
      await sql`
        delete from board_version where id in (
          select id from (
            select id, sum(bytes) over (order by number desc) as bytes_since
            from board_version where ${ofBoard('board_version', board)}
          ) as version
          where bytes_since > ${VERSIONS_MAX_BYTES}
        ) and ${hasNoVote}`.execute(database);
    },

    /** Deletes versions that are too old. */
    deleteOld: (now: Date) =>
      deleteInSlices(
        database,
        'board_version',
        sql`taken_at <= ${keptSince(now)} and ${hasNoVote}`,
        LARGE_ROWS,
      ),

    /** Deletes the drawings of an account that is being deleted. */
    async forget(userId: UserId): Promise<void> {
      await sql`
        update board_version set (elements, element_count, author_ids) = (
          select coalesce(json_agg(element), '[]'), count(*), array_remove(author_ids, ${userId}::bigint)
          from json_array_elements(elements) as element
          where (element -> 'customData' ->> 'authorId')::bigint is distinct from ${userId}::bigint
        )
        where author_ids @> array[${userId}]::bigint[]`.execute(database);
    },
  };
}

export type BoardVersionsRepository = ReturnType<typeof createBoardVersionsRepository>;
