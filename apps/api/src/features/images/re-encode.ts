import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type ErrorName, IMAGE_MAX_PIXELS, IMAGE_SIDE_PX, type UserId } from '@mogakgong/contract';
import { fewAtOnce } from '../../platform/batch/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/logger/index.ts';
import { exitCodes } from './exit-codes.ts';

const PROGRAM = path.join(import.meta.dirname, 're-encode-process.ts');
/** The largest allowed picture takes less than a second. */
const DEADLINE_MS = 8_000;
/** Decoders that one process runs at once; further ones wait. */
const AT_ONCE = 2;
/** Of a picture that is decoded soon: our pages send none of more than 1,440 px on a side. */
const SMALL_MAX_PIXELS = 4_000_000;

const refusals: Readonly<Record<number, ErrorName>> = {
  [exitCodes.unsupported]: 'imageUnsupported',
  [exitCodes.tooManyPixels]: 'imageTooManyPixels',
  [exitCodes.unreadable]: 'imageUnreadable',
};

/** The size of a stored picture. */
export interface PictureSize {
  readonly widthPx: number;
  readonly heightPx: number;
  /** `cover` cuts to exactly this size; `inside` keeps the whole picture within it. */
  readonly fit: 'cover' | 'inside';
}

/** Converts an upload of a learner to a stored picture; a profile's square unless another size is given. */
export type ReEncode = (userId: UserId, upload: Uint8Array, size?: PictureSize) => Promise<Buffer>;

const PROFILE: PictureSize = { widthPx: IMAGE_SIDE_PX, heightPx: IMAGE_SIDE_PX, fit: 'cover' };

/**
 * Decodes pictures in separate processes, two at a time, killed after `deadlineMs`: one of a learner, and
 * one large one, so that a small picture waits for none of these. What is large is known by its pixels, which
 * a decoder reads first: the bytes of a picture do not tell how long it takes.
 * @throws ApiError `imageUnsupported`, `imageTooManyPixels` or `imageUnreadable`.
 */
export function createReEncode(logger: Logger, deadlineMs: number = DEADLINE_MS): ReEncode {
  const ofLearner = fewAtOnce<UserId>(1);
  const ofLarge = fewAtOnce<'all'>(1);
  const ofAll = fewAtOnce<'all'>(AT_ONCE);
  return (userId, upload, size = PROFILE) => {
    const decode = (maxPixels: number) =>
      ofAll('all', () => reEncode(upload, size, { maxPixels, deadlineMs, logger }));
    return ofLearner(userId, async () => {
      try {
        return await decode(SMALL_MAX_PIXELS);
      } catch (error) {
        const isLarge = error instanceof ApiError && error.row === 'imageTooManyPixels';
        if (!isLarge) throw error;
        return ofLarge('all', () => decode(IMAGE_MAX_PIXELS));
      }
    });
  };
}

interface DecoderOptions {
  readonly maxPixels: number;
  readonly deadlineMs: number;
  readonly logger: Logger;
}

async function reEncode(
  upload: Uint8Array,
  { widthPx, heightPx, fit }: PictureSize,
  { maxPixels, deadlineMs, logger }: DecoderOptions,
): Promise<Buffer> {
  const args = [PROGRAM, String(maxPixels), String(widthPx), String(heightPx), fit];
  // Its environment contains no secret.
  const child = spawn(process.execPath, args, {
    env: {},
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: deadlineMs,
    killSignal: 'SIGKILL',
  });
  const closed = once(child, 'close');
  // A process that cannot start, for example for lack of file descriptors, has no streams: rejects.
  if (child.pid === undefined) await closed;
  // It may end before it has read everything.
  child.stdin.on('error', () => undefined);
  child.stdin.end(upload);
  const [picture, [code, signal]] = await Promise.all([buffer(child.stdout), closed]);
  if (code === 0) return picture;
  const refusal = refusals[code];
  if (refusal) throw new ApiError(refusal);
  logger.warn({ code, signal, bytes: upload.length }, 'a picture ended its decoder');
  if (signal !== null) throw new ApiError('imageUnreadable');
  throw new Error(`pictures cannot be decoded: the decoder ends with ${code}`);
}
