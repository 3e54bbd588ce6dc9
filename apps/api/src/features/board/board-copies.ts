import type { RoomId, UserId } from '@mogakgong/contract';
import { createBatcher } from '../../platform/batch/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { BoardService } from './board.service.ts';
import type { BoardCopiesRepository, CopyRow } from './board-copies.repository.ts';
import type { ReadPicture } from './picture-reader.ts';
import type { CountReading } from './reading-limit.ts';

interface BoardCopiesParts {
  readonly repository: BoardCopiesRepository;
  readonly boards: Pick<BoardService, 'ownView' | 'countReading'>;
  readonly readPicture: ReadPicture;
  /** Counts the bytes of pictures. */
  readonly countReading: CountReading;
  readonly clock: Clock;
}

const shown = ({ id, name, copiedAt, elements }: CopyRow) => ({
  ...{ id, name, elements },
  copiedAt: copiedAt.toISOString(),
});

/** Personal copies of boards. */
export function createBoardCopies(parts: BoardCopiesParts) {
  const { repository, boards, readPicture, countReading, clock } = parts;
  // One at a time: copies take one connection of the pool.
  const findListText = createBatcher(
    ([copyId]: readonly number[]) => Promise.all([repository.findListText(copyId as number)]),
    1,
  );
  return {
    /**
     * Copies the board of the caller's room as they may see it.
     * @throws ApiError `notInThisRoom` or `tooManyBoardCopies`.
     */
    async copy(ownerId: UserId, roomId: RoomId) {
      const { board, apart } = await boards.ownView(ownerId, roomId);
      const name = await repository.findRoomName(roomId);
      const stored = await repository.insert(board, {
        ...{ ownerId, name, apart },
        copiedAt: clock.now(),
      });
      if (!stored) throw new ApiError('tooManyBoardCopies');
      return shown(stored);
    },

    async list(ownerId: UserId) {
      return (await repository.findOf(ownerId)).map(shown);
    },

    /** The copy, and its elements as one JSON text. @throws ApiError `notFound` or `tooManyRequests`. */
    async get(ownerId: UserId, copyId: number) {
      const found = await repository.find(ownerId, copyId);
      if (!found) throw new ApiError('notFound');
      await boards.countReading(ownerId, null, found.bytes);
      const listText = await findListText(copyId);
      if (listText === null) throw new ApiError('notFound');
      return { copy: shown(found), listText };
    },

    /** @throws ApiError `notFound` or `tooManyRequests`. */
    async getImage(ownerId: UserId, copyId: number, imageId: string): Promise<Buffer> {
      const bytes = await repository.findBytes(ownerId, copyId, imageId);
      if (bytes === null) throw new ApiError('notFound');
      await countReading(ownerId, null, bytes);
      const image = await readPicture(imageId);
      if (!image) throw new ApiError('notFound');
      return image;
    },

    /** @throws ApiError `notFound`. */
    async delete(ownerId: UserId, copyId: number): Promise<void> {
      if (!(await repository.delete(ownerId, copyId))) throw new ApiError('notFound');
    },

    /** The pictures of a learner's copies, one at a time. */
    async *pictures(ownerId: UserId): AsyncGenerator<{ id: string; image: Buffer }> {
      for (const id of await repository.findPictureIds(ownerId)) {
        const image = await repository.findPicture(ownerId, id);
        if (image) yield { id, image };
      }
    },
  };
}

export type BoardCopies = ReturnType<typeof createBoardCopies>;
