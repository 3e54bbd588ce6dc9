import { changeProfileImage, HOUR_MS, profilePictureRate, uploadImage } from '@mogakgong/contract';
import type { Env } from '../../platform/env/index.ts';
import { ApiError, type HttpServer } from '../../platform/http/index.ts';
import type { Metrics } from '../../platform/metrics/index.ts';
import { bucketOf } from '../../platform/object-storage/index.ts';
import type { RoomsService } from '../rooms/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { createDiskStore, type ImageStore, nameOf } from './image-store.ts';
import { createImagesRepository, IMAGES_PATH } from './images.repository.ts';
import { createImagesService, type ImagesService } from './images.service.ts';
import { createReEncode, type ReEncode } from './re-encode.ts';
import { createS3Store } from './s3-store.ts';

const AGE_SECONDS = 365 * 24 * 60 * 60;

/** Headers of a picture: it never changes, and is nothing but a picture. */
const headers = {
  'content-type': 'image/webp',
  'content-disposition': 'inline',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cache-control': `public, max-age=${AGE_SECONDS}, immutable`,
} as const;

/** Profile pictures that learners upload. */
export function createImages(context: AppContext, rooms: RoomsService): ImagesService {
  const { env, database, clock, logger, http, jobs, metrics } = context;
  const images = createImagesService({
    repository: createImagesRepository(database),
    store: createImageStore(env),
    reEncode: measured(createReEncode(logger), metrics),
    rooms,
    clock,
  });

  http.serve(uploadImage, async ({ caller, body }) => ({
    imageUrl: await images.upload(caller.userId, body.imageFile),
  }));

  http.serve(changeProfileImage, async ({ caller, body }) => ({
    profileImage: await images.choose(caller.userId, body.newProfileImage),
  }));

  servePictures(http, images);
  const deleteUnused = () => images.deleteUnused();
  jobs.add({ name: 'unused pictures', everyMs: HOUR_MS, runs: 'site', run: deleteUnused });
  return images;
}

/** Counts and times the pictures. */
function measured(reEncode: ReEncode, metrics: Metrics | null): ReEncode {
  if (!metrics) return reEncode;
  const { uploads, uploadSeconds } = metrics;
  for (const outcome of ['encoded', 'refused', 'failed']) uploads.inc({ outcome }, 0);
  return async (...upload) => {
    const observe = uploadSeconds.startTimer();
    try {
      const picture = await reEncode(...upload);
      uploads.inc({ outcome: 'encoded' });
      return picture;
    } catch (error) {
      uploads.inc({ outcome: error instanceof ApiError ? 'refused' : 'failed' });
      throw error;
    } finally {
      observe();
    }
  };
}

/** Open: a browser requests pictures without a token, and nobody can guess their names. */
function servePictures(http: HttpServer, images: ImagesService): void {
  http.fastify.get<{ Params: { name: string } }>(
    `${IMAGES_PATH}:name`,
    { schema: { hide: true } },
    async (request, reply) => {
      await http.consumeLimit(profilePictureRate, request);
      const { name } = request.params;
      const picture = await images.find(name);
      if (picture === null) throw new ApiError('notFound');
      reply.headers({ ...headers, etag: `"${name}"` });
      const isKnown = request.headers['if-none-match'] === `"${name}"`;
      return isKnown ? reply.status(304).send() : reply.send(picture);
    },
  );
}

/** S3 if configured, otherwise a folder. A damaged picture is missing: it would keep a backup from being restored. */
export function createImageStore(env: Env): ImageStore {
  const bucket = bucketOf(env);
  const store = bucket ? createS3Store(bucket) : createDiskStore(env.IMAGES_DIR);
  return {
    ...store,
    async get(name) {
      const bytes = await store.get(name);
      return bytes && nameOf(bytes) === name ? bytes : null;
    },
  };
}
