import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Env } from '../../platform/env/index.ts';
import type { HttpServer } from '../../platform/http/index.ts';
import type { Jobs } from '../../platform/jobs/index.ts';
import type { Logger } from '../../platform/logger/index.ts';
import type { RoomsService } from '../rooms/index.ts';
import { createDiskStore, type ImageStore } from './image-store.ts';
import { createImagesRepository } from './images.repository.ts';
import { serveImages } from './images.routes.ts';
import { createImagesService, type ImagesService } from './images.service.ts';
import { createReEncode } from './re-encode.ts';
import { createS3Store } from './s3-store.ts';

const DELETE_UNUSED_EVERY_MS = 60 * 60_000;

interface ImagesParts {
  readonly env: Env;
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
    store: createStore(env),
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

/** S3 if configured, otherwise a folder. */
function createStore(env: Env): ImageStore {
  const { S3_ENDPOINT: endpoint, S3_REGION: region, S3_BUCKET: bucket } = env;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  return endpoint && bucket && accessKeyId && secretAccessKey
    ? createS3Store({ endpoint, region, bucket, accessKeyId, secretAccessKey })
    : createDiskStore(env.IMAGES_DIR);
}
