import { Readable } from 'node:stream';
import {
  addBoardImage,
  boardPictureReading,
  bringBackBoard,
  clearBoard,
  getBoardImage,
  type UserId,
} from '@mogakgong/contract';
import type { ImagesService } from '../images/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { type ClearingUses, createBoardClearing } from './board-clearing.ts';
import { createBoardImagesRepository } from './board-images.repository.ts';
import { createBoardImages } from './board-images.ts';
import { createPictureReader } from './picture-reader.ts';
import { createReadingLimit } from './reading-limit.ts';

const DELETE_CLEARED_EVERY_MS = 60_000;
const DELETE_UNUSED_PICTURES_EVERY_MS = 10 * 60_000;

interface BoardLifeUses extends ClearingUses {
  readonly images: ImagesService;
}

/** The clearing of boards, and their pictures. */
export function createBoardLife(context: AppContext, uses: BoardLifeUses) {
  const { http, jobs } = context;
  const { boards } = uses;
  const clearing = createBoardClearing(context, uses);
  const images = createPictures(context, uses);

  http.serve(clearBoard, async ({ caller, params }) => {
    await clearing.clear(caller.userId, params.roomId);
    return {};
  });
  http.serve(bringBackBoard, async ({ caller, params }) => {
    await clearing.bringBack(caller.userId, params.roomId);
    return {};
  });
  http.serve(addBoardImage, async ({ caller, params, body }) => ({
    imageId: await images.add(caller.userId, params.roomId, body.image),
  }));
  http.serve(getBoardImage, async ({ caller, params }) =>
    Readable.from([await images.get(caller.userId, params.roomId, params.imageId)]),
  );

  const deleteOld = () => clearing.deleteOld();
  const deleteUnused = () => images.deleteUnused();
  const everyMs = DELETE_UNUSED_PICTURES_EVERY_MS;
  jobs.add(
    { name: 'cleared boards', everyMs: DELETE_CLEARED_EVERY_MS, runs: 'site', run: deleteOld },
    { name: 'unused board pictures', everyMs, runs: 'site', run: deleteUnused },
  );

  return {
    /**
     * Before an account is deleted: deletes its owner's drawings from boards, then from cleared ones, which a
     * board may become meanwhile.
     */
    async forget(userId: UserId): Promise<void> {
      await boards.forget(userId);
      await clearing.forget(userId);
    },
  };
}

/** The pictures on boards. */
function createPictures(context: AppContext, uses: BoardLifeUses) {
  const { database, limits, checkedClock: clock } = context;
  const repository = createBoardImagesRepository(database);
  return createBoardImages({
    ...{ ...context, ...uses, clock, repository },
    readPicture: createPictureReader(repository.load),
    countReading: createReadingLimit(limits, 'board picture bytes', boardPictureReading),
  });
}

export type BoardLife = ReturnType<typeof createBoardLife>;
