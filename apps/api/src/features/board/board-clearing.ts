import {
  BOARD_ELEMENTS_MAX,
  BOARD_MAX_BYTES,
  type Notice,
  type RoomId,
  type UserId,
} from '@mogakgong/contract';
import { type Database, retryConflict } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { BlockedPairs } from '../blocks/index.ts';
import type { HostingService } from '../hosting/index.ts';
import type { Notices } from '../realtime/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { HOSTED_EPOCH } from './board.repository.ts';
import type { BoardService } from './board.service.ts';
import { type BoardKey, type BoardPosition, type LockedBoard, lockBoard } from './board-rows.ts';
import {
  bringBackElements,
  clearElements,
  deleteOldCleared,
  findSeated,
  forgetInCleared,
} from './cleared-boards.repository.ts';

export interface ClearingUses {
  readonly boards: BoardService;
  readonly hosting: HostingService;
  readonly pairs: BlockedPairs;
  readonly notices: Notices;
}

type Change = Extract<Notice, { kind: 'board' }>['what'];

/** Replaces the elements of a board. Null: nothing has changed. */
type Replace = (db: Database, board: LockedBoard, now: Date) => Promise<BoardPosition | null>;

/**
 * Clears boards and brings them back: the host of a room does so, and in a room without a host everybody
 * in it (decision 074).
 */
export function createBoardClearing(
  { database, sanctions, checkedClock: clock }: AppContext,
  { boards, hosting, pairs, notices }: ClearingUses,
) {
  /** @throws ApiError `notInThisRoom`, `notHost` or `chatMuted`. */
  async function ownBoard(userId: UserId, roomId: RoomId): Promise<BoardKey> {
    const board = await boards.ownBoard(userId, roomId);
    if (board.epoch === HOSTED_EPOCH) await hosting.assertHost(userId, roomId);
    sanctions.inForce.refuseMuted(userId, 'chatMuted');
    return board;
  }

  /** Serialised per board, which is locked; once it is stored, it is delivered, and the others are told. */
  async function change(board: BoardKey, by: UserId, what: Change, replace: Replace) {
    const { apart } = await pairs.find(by);
    const done = await retryConflict(() =>
      database.transaction().execute(async (transaction) => {
        const locked = await lockBoard(transaction, board);
        if (!locked) throw new ApiError('notInThisRoom');
        const position = await replace(transaction, locked, clock.now());
        return position && { position, seated: await findSeated(transaction, board) };
      }),
    );
    if (!done) return;
    const { roomId, epoch } = board;
    boards.publish(board, [{ kind: 'replaced', epoch, ...done.position }]);
    for (const userId of done.seated) {
      const shown = apart.has(userId) ? null : by;
      if (userId !== by) notices.send(userId, { kind: 'board', roomId, what, by: shown });
    }
  }

  return {
    /** Clears the board of the caller's room. @throws as `ownBoard`. */
    async clear(userId: UserId, roomId: RoomId): Promise<void> {
      await change(await ownBoard(userId, roomId), userId, 'cleared', clearElements);
    },

    /**
     * Adds to the board of the caller's room what was cleared last.
     * @throws ApiError `nothingToBringBack`, `boardFull`, or as `ownBoard`.
     */
    async bringBack(userId: UserId, roomId: RoomId): Promise<void> {
      const board = await ownBoard(userId, roomId);
      await change(board, userId, 'broughtBack', async (db, locked, now) => {
        const brought = await bringBackElements(db, locked, now);
        if (!brought) throw new ApiError('nothingToBringBack');
        const { elements, bytes } = brought.totals;
        if (elements > BOARD_ELEMENTS_MAX || bytes > BOARD_MAX_BYTES)
          throw new ApiError('boardFull');
        return brought.position;
      });
    },

    /** Repeated: deletes cleared boards that can no longer be brought back. */
    deleteOld: () => deleteOldCleared(database, clock.now()),

    /** Deletes the drawings of an account that is being deleted. */
    forget: (userId: UserId) => forgetInCleared(database, userId),
  };
}
