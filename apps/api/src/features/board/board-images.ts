import { createHash } from 'node:crypto';
import { BOARD_IMAGE_MAX_BYTES, HOUR_MS, type RoomId, type UserId } from '@mogakgong/contract';
import { createBatcher } from '../../platform/batch/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { ImagesService } from '../images/index.ts';
import type { SanctionsService } from '../sanctions/index.ts';
import type { BoardService } from './board.service.ts';
import type { BoardImagesRepository } from './board-images.repository.ts';
import type { ReadPicture } from './picture-reader.ts';
import type { CountReading } from './reading-limit.ts';

/** The sizes tried until a picture is small enough. Noise of the last has about 600 KB. */
const SIDES_PX = [2_048, 1_536, 1_024, 768] as const;
/** How long an unused picture is kept: until it is drawn, and while its deletion can be undone. */
const UNUSED_KEPT_MS = HOUR_MS;

/** Pictures looked up in one query. */
const QUESTIONS_AT_ONCE = 500;

interface BoardImagesParts {
  readonly repository: BoardImagesRepository;
  readonly boards: Pick<BoardService, 'ownBoard' | 'ownSeat'>;
  readonly images: Pick<ImagesService, 'reEncode'>;
  readonly sanctions: Pick<SanctionsService, 'inForce'>;
  readonly readPicture: ReadPicture;
  readonly countReading: CountReading;
  readonly clock: Clock;
}

/** Pictures on boards, visible only to learners in the room. */
export function createBoardImages({
  repository,
  boards,
  images,
  sanctions,
  readPicture,
  countReading,
  clock,
}: BoardImagesParts) {
  const findBytes = createBatcher(repository.findBytes, QUESTIONS_AT_ONCE);

  /** @throws ApiError `imageTooManyPixels`, or as `images.reEncode`. */
  async function shrink(userId: UserId, file: Uint8Array): Promise<Buffer> {
    let sides: readonly number[] = SIDES_PX;
    for (;;) {
      const [sidePx] = sides;
      if (sidePx === undefined) throw new ApiError('imageTooManyPixels');
      const size = { widthPx: sidePx, heightPx: sidePx, fit: 'inside' } as const;
      const image = await images.reEncode(userId, file, size);
      if (image.length <= BOARD_IMAGE_MAX_BYTES) return image;
      // A smaller picture has as many bytes a pixel at least. What cannot do is not tried: each costs a decoding.
      const fits = sidePx * Math.sqrt(BOARD_IMAGE_MAX_BYTES / image.length);
      sides = sides.filter((side) => side < sidePx && (side <= fits || side === SIDES_PX.at(-1)));
    }
  }

  return {
    /**
     * Adds a picture to the board of the caller's room; returns its id, the hash of the stored bytes.
     * @throws ApiError `notInThisRoom`, `chatMuted`, `boardFull`, `imageUnsupported`, `imageUnreadable` or
     *   `imageTooManyPixels`.
     */
    async add(userId: UserId, roomId: RoomId, file: Uint8Array): Promise<string> {
      const board = await boards.ownBoard(userId, roomId);
      sanctions.inForce.refuseMuted(userId, 'chatMuted');
      const image = await shrink(userId, file);
      const id = createHash('sha256').update(image).digest('hex');
      const isAdded = await repository.add(board, { id, image }, clock.now());
      if (!isAdded) throw new ApiError('boardFull');
      return id;
    },

    /** @throws ApiError `notInThisRoom`, `notFound` or `tooManyRequests`. */
    async get(userId: UserId, roomId: RoomId, imageId: string): Promise<Buffer> {
      const { epoch } = await boards.ownSeat(userId, roomId);
      const bytes = await findBytes({ roomId, epoch, imageId });
      if (bytes === null) throw new ApiError('notFound');
      await countReading(userId, roomId, bytes);
      const image = await readPicture(imageId);
      if (!image) throw new ApiError('notFound');
      return image;
    },

    /** Repeated: deletes the pictures that no board, cleared board or report uses. */
    deleteUnused(): Promise<void> {
      const now = clock.now();
      return repository.deleteUnused(new Date(now.getTime() - UNUSED_KEPT_MS), now);
    },
  };
}
