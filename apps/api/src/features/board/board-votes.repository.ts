import type { BoardVote, UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import type { BoardKey } from './board-rows.ts';

type VoteRow = Omit<BoardVote, 'endsAtMs'> & { readonly endsAt: Date };

/** The learners seated in the gathering of a board now. */
export async function findSeated(db: Database, board: BoardKey): Promise<ReadonlySet<UserId>> {
  const { rows } = await sql<{ userId: UserId }>`
    select seat.user_id as "userId" from seat join study_room on study_room.id = seat.room_id
    where seat.room_id = ${board.roomId} and ${board.epoch} in (0, study_room.epoch)`.execute(db);
  return new Set(rows.map(({ userId }) => userId));
}

/** The vote on a board, even if its time is over. */
export async function findVote(db: Database, board: BoardKey): Promise<BoardVote | null> {
  const { rows } = await sql<VoteRow>`
    select id, version_id as "versionId", opened_by as "openedBy", ends_at as "endsAt",
           to_json(agreed) as agreed, to_json(refused) as refused,
           needed
    from board_vote where room_id = ${board.roomId} and epoch = ${board.epoch}`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const { endsAt, ...vote } = row;
  return { ...vote, endsAtMs: endsAt.getTime() };
}

/** Stores a new vote, or new answers. */
export async function storeVote(db: Database, board: BoardKey, vote: BoardVote): Promise<void> {
  await sql`
    insert into board_vote (room_id, epoch, id, version_id, opened_by, ends_at, agreed, refused, needed)
    values (${board.roomId}, ${board.epoch}, ${vote.id}, ${vote.versionId}, ${vote.openedBy},
            ${new Date(vote.endsAtMs)}, ${vote.agreed}, ${vote.refused}, ${vote.needed})
    on conflict (room_id, epoch) do update
    set agreed = excluded.agreed, refused = excluded.refused, needed = excluded.needed`.execute(db);
}

export async function endVote(db: Database, board: BoardKey): Promise<void> {
  await sql`
    delete from board_vote where room_id = ${board.roomId} and epoch = ${board.epoch}`.execute(db);
}

/** The boards with a vote. */
export async function findVotedBoards(db: Database): Promise<BoardKey[]> {
  const { rows } = await sql<BoardKey>`
    select room_id as "roomId", epoch from board_vote`.execute(db);
  return rows;
}
