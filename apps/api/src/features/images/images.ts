import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Env } from '../../platform/env/index.ts';
import type { HttpServer } from '../../platform/http/index.ts';
import type { Jobs } from '../../platform/jobs/index.ts';
import type { Logger } from '../../platform/logger/index.ts';
import type { RoomsService } from '../rooms/index.ts';
import { createDiskStore } from './image-store.ts';
import { createImagesRepository } from './images.repository.ts';
import { serveImages } from './images.routes.ts';
import { createImagesService, type ImagesService } from './images.service.ts';
import { createReEncode } from './re-encode.ts';

const DELETE_UNUSED_EVERY_MS = 60 * 60_000;

interface ImagesParts {
  readonly env: Pick<Env, 'IMAGES_DIR'>;
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly http: HttpServer;
  readonly jobs: Jobs;
  readonly rooms: RoomsService;
}

/** Profile pictures that learners upload. */
export function createImages({
  env,
  database,
  logger,
  http,
  jobs,
  ...parts
}: ImagesParts): ImagesService {
  const images = createImagesService({
    ...parts,
    repository: createImagesRepository(database),
    store: createDiskStore(env.IMAGES_DIR),
    reEncode: createReEncode(logger),
  });
  serveImages(http, images);
  jobs.add({
    name: 'unused pictures',
    everyMs: DELETE_UNUSED_EVERY_MS,
    runs: 'site',
    run: () => images.deleteUnused(),
  });
  return images;
}
