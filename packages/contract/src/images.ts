import * as z from 'zod/mini';
import { HOUR_MS, MINUTE_MS } from './durations.ts';
import { route } from './route.ts';

/** The largest picture that may be uploaded (design §9). */
export const IMAGE_MAX_BYTES = 5 * 1024 * 1024;
export const IMAGE_MAX_PIXELS = 25_000_000;
/** Width and height of a stored picture, in pixels: the largest place shows 96, on dense screens. */
export const IMAGE_SIDE_PX = 256;

/**
 * The address of an uploaded picture, in each of the shapes that a server may answer with (specification §7).
 */
const UploadedImage = z.union([
  z.object({ imageUrl: z.string() }),
  z.object({ profileImage: z.string() }),
  z.object({ url: z.string() }),
  z.string(),
]);
type UploadedImage = z.infer<typeof UploadedImage>;

/** The address in an answer to an upload. */
export function uploadedImageAddress(answer: UploadedImage): string {
  return typeof answer === 'string' ? answer : (Object.values(answer)[0] ?? '');
}

export const uploadImage = route({
  method: 'POST',
  path: '/api/images/upload',
  summary: 'Stores a picture, re-encoded, and answers its address. It is deleted unless it is used',
  access: 'login',
  body: z.object({ imageFile: z.file() }),
  bodyType: 'multipart',
  reply: UploadedImage,
  errors: [
    'unauthorized',
    'unsupportedMediaType',
    'imageUnsupported',
    'imageUnreadable',
    'imageTooManyPixels',
  ],
  limit: { name: 'upload', max: 10, windowMs: HOUR_MS, per: 'user' },
});

export const changeProfileImage = route({
  method: 'PATCH',
  path: '/api/user/profile/profileImage',
  summary: "Changes the caller's picture to an uploaded one, or to `default.jpg`",
  access: 'login',
  body: z.object({ newProfileImage: z.string().check(z.maxLength(500)) }),
  /** The address as stored; the specification does not show the answer. */
  reply: z.object({ profileImage: z.optional(z.string()) }),
  errors: ['unauthorized', 'imageNotFound'],
  limit: { name: 'profileImage', max: 20, windowMs: MINUTE_MS, per: 'user' },
});
