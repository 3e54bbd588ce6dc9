import { changeProfileImage, uploadImage } from '@mogakgong/contract';
import { ApiError, type HttpServer } from '../../platform/http/index.ts';
import { IMAGES_PATH, type ImagesService } from './images.service.ts';

const AGE_SECONDS = 365 * 24 * 60 * 60;

/** Headers of a picture: it never changes, and is nothing but a picture. */
const headers = {
  'content-type': 'image/webp',
  'content-disposition': 'inline',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cache-control': `public, max-age=${AGE_SECONDS}, immutable`,
} as const;

export function serveImages(http: HttpServer, images: ImagesService): void {
  http.serve(uploadImage, async ({ body }) => ({ imageUrl: await images.upload(body.imageFile) }));

  http.serve(changeProfileImage, async ({ caller, body }) => ({
    profileImage: await images.choose(caller.userId, body.newProfileImage),
  }));

  // Open: a browser requests pictures without a token, and nobody can guess their names.
  http.fastify.get<{ Params: { name: string } }>(
    `${IMAGES_PATH}:name`,
    { schema: { hide: true } },
    async (request, reply) => {
      const { name } = request.params;
      const picture = await images.find(name);
      if (picture === null) throw new ApiError('notFound');
      reply.headers({ ...headers, etag: `"${name}"` });
      const isKnown = request.headers['if-none-match'] === `"${name}"`;
      return isKnown ? reply.status(304).send() : reply.send(picture);
    },
  );
}
