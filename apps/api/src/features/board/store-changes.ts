import type { RoomId } from '@mogakgong/contract';
import { type Kysely, sql } from 'kysely';
import type { Gathering } from '../realtime/index.ts';
import type { BoardTables } from './board.tables.ts';
import {
  type BoardTotals,
  type KnownElement,
  type MergeOutcome,
  mergeChanges,
  type SentElements,
  type StoredElement,
} from './merge-changes.ts';

/** Names a board. */
export interface BoardKey {
  readonly roomId: RoomId;
  /** That of the gathering; 0 in a hosted room. */
  readonly epoch: number;
}

/** Up to where a board is known. */
export interface BoardPosition {
  readonly generation: number;
  readonly number: number;
}

/** What one learner sent to the board of their gathering. */
export interface NewChanges extends SentElements {
  readonly gathering: Gathering;
  readonly generation: number;
}

/** Elements that changed together; the number is the board's after the change. */
export interface StoredChanges extends BoardKey, BoardPosition {
  readonly elements: readonly StoredElement[];
}

/** What became of what one learner sent; merged: the number of the board that includes it. */
export type StoreOutcome =
  | { readonly kind: 'merged'; readonly number: number }
  | { readonly kind: Exclude<MergeOutcome, 'merged'> | 'boardReplaced' };

export interface StoreResult {
  readonly outcomes: readonly StoreOutcome[];
  /** For each board in the order of its numbers. */
  readonly stored: readonly StoredChanges[];
}

/** A board whose row this transaction has locked. */
interface LockedBoard extends BoardKey, BoardPosition, BoardTotals {}

/** A locked board and what was merged into it. */
interface MergedBoard extends BoardKey {
  readonly number: number;
  readonly totals: BoardTotals;
  readonly changes: readonly StoredChanges[];
}

/** Bytes of the elements that one message delivers, unless a single one has more. */
const MESSAGE_MAX_BYTES = 64 * 1024;

type Db = Kysely<BoardTables>;

const keyOf = ({ roomId, epoch }: BoardKey) => `${roomId} ${epoch}`;

/**
 * Stores what several learners sent to any boards. To be called in a transaction, which locks the rows of
 * the boards in their order, so that two processes cannot block each other. The same sent twice changes
 * nothing the second time.
 */
export async function storeChanges(
  db: Db,
  sent: readonly NewChanges[],
  now: Date,
): Promise<StoreResult> {
  const boards = await lockBoards(db, sent);
  // A generation belongs to one board only: who names one of another room or gathering finds none.
  const sentTo = Map.groupBy(sent, ({ gathering: { roomId, epoch }, generation }) =>
    boards.find(
      (board) =>
        board.generation === generation &&
        board.roomId === roomId &&
        (board.epoch === 0 || board.epoch === epoch),
    ),
  );
  const known = await findKnown(db, sentTo);
  const outcomes = new Map<NewChanges, StoreOutcome>();
  const merged: MergedBoard[] = [];
  for (const [board, changes] of sentTo) {
    if (!board) {
      for (const change of changes) outcomes.set(change, { kind: 'boardReplaced' });
      continue;
    }
    const result = mergeChanges(known.get(keyOf(board)) ?? new Map(), board, changes);
    const { winners, totals } = result;
    const stored = intoMessages(board, winners);
    const number = board.number + stored.length;
    if (stored.length > 0) {
      const { roomId, epoch } = board;
      merged.push({ roomId, epoch, number, totals, changes: stored });
    }
    for (const [index, change] of changes.entries()) {
      const kind = result.outcomes[index] as MergeOutcome;
      outcomes.set(change, kind === 'merged' ? { kind, number } : { kind });
    }
  }
  if (merged.length > 0) {
    await updateBoards(db, merged, now);
    await putElements(
      db,
      merged.flatMap(({ changes }) => changes),
      now,
    );
  }
  return {
    outcomes: sent.map((change) => outcomes.get(change) as StoreOutcome),
    stored: merged.flatMap(({ changes }) => changes),
  };
}

async function lockBoards(db: Db, sent: readonly NewChanges[]): Promise<readonly LockedBoard[]> {
  const generations = [...new Set(sent.map(({ generation }) => generation))];
  const { rows } = await sql<LockedBoard>`
    select room_id as "roomId", epoch, generation, number, elements, bytes
    from board where generation = any (${generations}::bigint[])
    order by room_id, epoch for update`.execute(db);
  return rows;
}

/** What is stored of the elements that were sent. */
async function findKnown(
  db: Db,
  sentTo: ReadonlyMap<LockedBoard | undefined, readonly NewChanges[]>,
): Promise<ReadonlyMap<string, ReadonlyMap<string, KnownElement>>> {
  const asked = [...sentTo].flatMap(([board, changes]) => {
    if (!board) return [];
    const ids = new Set(changes.flatMap(({ elements }) => elements.map(({ id }) => id)));
    return [...ids].map((id) => ({ ...board, id }));
  });
  const { rows } = await sql<BoardKey & KnownElement & { id: string }>`
    select room_id as "roomId", epoch, id, version, version_nonce as "versionNonce",
           is_deleted as "isDeleted", author_id as "authorId", bytes
    from board_element join unnest(
      ${asked.map((e) => e.roomId)}::bigint[], ${asked.map((e) => e.epoch)}::integer[],
      ${asked.map((e) => e.id)}::text[]
    ) as asked (room_id, epoch, id) using (room_id, epoch, id)`.execute(db);
  const found = new Map<string, Map<string, KnownElement>>();
  for (const row of rows) {
    const ofBoard = found.get(keyOf(row)) ?? new Map<string, KnownElement>();
    found.set(keyOf(row), ofBoard.set(row.id, row));
  }
  return found;
}

/** Numbers the elements that changed, as many together as one message takes. */
function intoMessages(board: LockedBoard, winners: readonly StoredElement[]): StoredChanges[] {
  const { roomId, epoch, generation } = board;
  const messages: StoredElement[][] = [];
  let bytes = Infinity;
  for (const element of winners) {
    bytes += Buffer.byteLength(element.json);
    if (bytes > MESSAGE_MAX_BYTES) {
      messages.push([]);
      bytes = Buffer.byteLength(element.json);
    }
    messages.at(-1)?.push(element);
  }
  return messages.map((elements, index) => ({
    ...{ roomId, epoch, generation, elements },
    number: board.number + index + 1,
  }));
}

async function updateBoards(db: Db, boards: readonly MergedBoard[], now: Date): Promise<void> {
  await sql`
    update board set number = given.number, elements = given.elements, bytes = given.bytes,
                     changed_at = ${now}
    from unnest(
      ${boards.map((b) => b.roomId)}::bigint[], ${boards.map((b) => b.epoch)}::integer[],
      ${boards.map((b) => b.number)}::bigint[], ${boards.map((b) => b.totals.elements)}::integer[],
      ${boards.map((b) => b.totals.bytes)}::bigint[]
    ) as given (room_id, epoch, number, elements, bytes)
    where board.room_id = given.room_id and board.epoch = given.epoch`.execute(db);
}

/** Writes rows of elements; who made one stays. */
async function putElements(db: Db, changes: readonly StoredChanges[], now: Date): Promise<void> {
  const rows = changes.flatMap(({ elements, roomId, epoch, number }) =>
    elements.map((element) => ({ ...element, roomId, epoch, number })),
  );
  const column = <Value>(of: (row: (typeof rows)[number]) => Value) => rows.map(of);
  await sql`
    insert into board_element (room_id, epoch, id, version, version_nonce, number, is_deleted,
                               author_id, json, bytes, changed_at)
    select *, ${now} from unnest(
      ${column((e) => e.roomId)}::bigint[], ${column((e) => e.epoch)}::integer[],
      ${column((e) => e.id)}::text[], ${column((e) => e.version)}::bigint[],
      ${column((e) => e.versionNonce)}::bigint[], ${column((e) => e.number)}::bigint[],
      ${column((e) => e.isDeleted)}::boolean[], ${column((e) => e.authorId)}::bigint[],
      ${column((e) => e.json)}::text[],
      ${column((e) => Buffer.byteLength(e.json))}::integer[]
    )
    on conflict (room_id, epoch, id) do update set
      version = excluded.version, version_nonce = excluded.version_nonce, number = excluded.number,
      is_deleted = excluded.is_deleted, json = excluded.json, bytes = excluded.bytes,
      changed_at = excluded.changed_at`.execute(db);
}
