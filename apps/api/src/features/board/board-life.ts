import { boardPictureReading, type UserId } from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { HttpServer } from '../../platform/http/index.ts';
import type { Jobs } from '../../platform/jobs/index.ts';
import type { Limits } from '../../platform/limits/index.ts';
import type { HostingService } from '../hosting/index.ts';
import type { ImagesService } from '../images/index.ts';
import type { Notices } from '../realtime/index.ts';
import type { SanctionsService } from '../sanctions/index.ts';
import type { BoardService } from './board.service.ts';
import { createBoardCopiesRepository } from './board-copies.repository.ts';
import { createBoardCopies } from './board-copies.ts';
import { createBoardImagesRepository } from './board-images.repository.ts';
import { createBoardImages } from './board-images.ts';
import { serveBoardCopies, serveBoardImages, serveBoardReplacement } from './board-life.routes.ts';
import { BoardReplacement } from './board-replacement.service.ts';
import { createBoardVersionsRepository } from './board-versions.repository.ts';
import { createPictureReader } from './picture-reader.ts';
import { createReadingLimit } from './reading-limit.ts';

const SETTLE_VOTES_EVERY_MS = 1_000;
const KEEP_VERSIONS_EVERY_MS = 60_000;
const DELETE_UNUSED_PICTURES_EVERY_MS = 10 * 60_000;

interface BoardLifeParts {
  readonly database: Database;
  readonly http: HttpServer;
  readonly jobs: Jobs;
  readonly boards: BoardService;
  readonly hosting: HostingService;
  readonly notices: Notices;
  readonly images: ImagesService;
  readonly sanctions: SanctionsService;
  readonly limits: Pick<Limits, 'shared'>;
  /** For stored times: throws while the clock may be wrong. */
  readonly clock: Clock;
}

/** Versions, votes, pictures and copies of boards. */
export function createBoardLife({ database, http, jobs, limits, ...parts }: BoardLifeParts) {
  const versions = createBoardVersionsRepository(database);
  const replacement = new BoardReplacement({ ...parts, database, versions });
  serveBoardReplacement(http, replacement);
  jobs.add({
    name: 'board votes',
    everyMs: SETTLE_VOTES_EVERY_MS,
    runs: 'site',
    run: () => replacement.settleVotes(),
  });
  jobs.add({
    name: 'board versions',
    everyMs: KEEP_VERSIONS_EVERY_MS,
    runs: 'site',
    run: () => replacement.keepVersions(),
  });

  const pictures = createBoardImagesRepository(database);
  const reading = {
    readPicture: createPictureReader(pictures.load),
    countReading: createReadingLimit(limits, 'board picture bytes', boardPictureReading),
  };
  const images = createBoardImages({ ...parts, ...reading, repository: pictures });
  serveBoardImages(http, images);
  jobs.add({
    name: 'unused board pictures',
    everyMs: DELETE_UNUSED_PICTURES_EVERY_MS,
    runs: 'site',
    run: () => images.deleteUnused(),
  });

  const copies = createBoardCopies({
    ...{ ...parts, ...reading },
    repository: createBoardCopiesRepository(database),
  });
  serveBoardCopies(http, copies);

  return {
    /** Before an account is deleted: deletes its owner's drawings from boards, then from their versions. */
    async forget(userId: UserId): Promise<void> {
      await parts.boards.forget(userId);
      await versions.forget(userId);
    },
    copiedPictures: copies.pictures,
  };
}

export type BoardLife = ReturnType<typeof createBoardLife>;
