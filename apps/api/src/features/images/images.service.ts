import { setTimeout as delay } from 'node:timers/promises';
import { DEFAULT_PROFILE_IMAGE, HOUR_MS, type UserId } from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { RoomsService } from '../rooms/index.ts';
import { type ImageStore, nameOf } from './image-store.ts';
import { IMAGES_PATH, type ImagesRepository, REMOVAL_MS } from './images.repository.ts';
import type { PictureSize, ReEncode } from './re-encode.ts';

const IMAGE_NAME = /^[0-9a-f]{64}\.webp$/u;
/** How long an unused picture is kept after it was uploaded or chosen. */
const UNUSED_MS = HOUR_MS;
const REMOVED_AT_ONCE = 10;
/** Latest start of removing bytes after a removal has begun: a store takes some seconds more. */
const LATEST_REMOVAL_MS = REMOVAL_MS / 4;
const ASK_AGAIN_AFTER_MS = 100;

interface ImagesParts {
  readonly repository: ImagesRepository;
  readonly store: ImageStore;
  readonly reEncode: ReEncode;
  readonly rooms: Pick<RoomsService, 'publish'>;
  readonly clock: Clock;
}

/** The name in an address from a client: relative, as a path, or with the API's host. */
function imageName(address: string): string | null {
  return /(?:^|\/)files\/images\/([0-9a-f]{64}\.webp)$/u.exec(address)?.[1] ?? null;
}

export function createImagesService(parts: ImagesParts) {
  const { repository, store, reEncode, rooms, clock } = parts;

  /** Repeated: deletes unused pictures. */
  async function deleteUnused(): Promise<void> {
    const before = new Date(clock.now().getTime() - UNUSED_MS);
    const failures: unknown[] = [];
    let begun: number;
    let removed: number;
    do {
      const startMs = performance.now();
      const addresses = await repository.beginRemovals(before, REMOVED_AT_ONCE);
      const results = await Promise.allSettled(
        addresses.map((address) => remove(address, startMs)),
      );
      const done = addresses.filter((_, index) => results[index]?.status === 'fulfilled');
      await repository.forget(done);
      for (const result of results) if (result.status === 'rejected') failures.push(result.reason);
      begun = addresses.length;
      removed = done.length;
    } while (begun === REMOVED_AT_ONCE && removed > 0);
    await store.removeUnfinished(before);
    // The next run tries to remove the rest.
    if (failures.length > 0) throw failures[0];
  }

  /** Removes the bytes of a picture, unless an upload may have restored it meanwhile. */
  async function remove(address: string, begunAtMs: number): Promise<void> {
    const isLate = performance.now() - begunAtMs > LATEST_REMOVAL_MS;
    if (isLate) throw new Error('the process stood still while it removed a picture');
    await store.remove(address.slice(IMAGES_PATH.length));
  }

  return {
    /**
     * Stores a picture that a learner uploaded; returns its address.
     * @throws ApiError `imageUnsupported`, `imageTooManyPixels` or `imageUnreadable`.
     */
    async upload(userId: UserId, file: Uint8Array): Promise<string> {
      const picture = await reEncode(userId, file);
      const name = nameOf(picture);
      const address = IMAGES_PATH + name;
      // Recorded first: bytes without a row would be kept for ever.
      while (!(await repository.note(address, clock.now()))) await delay(ASK_AGAIN_AFTER_MS);
      await store.put(name, picture);
      return address;
    },

    /**
     * A picture for another feature to store, not served here.
     * @throws ApiError as `upload`.
     */
    reEncode: (userId: UserId, file: Uint8Array, size: PictureSize): Promise<Buffer> =>
      reEncode(userId, file, size),

    /** The bytes of a stored picture, or null. */
    find: async (name: string): Promise<Buffer | null> =>
      IMAGE_NAME.test(name) ? store.get(name) : null,

    /** The bytes of the picture at an address from `upload`, or null. */
    findAt: async (address: string): Promise<Buffer | null> => {
      const name = imageName(address);
      return name === null ? null : store.get(name);
    },

    /**
     * Changes a learner's picture, for them and all others.
     * @throws ApiError `imageNotFound`.
     */
    async choose(userId: UserId, given: string): Promise<string> {
      const name = imageName(given);
      const address = given === DEFAULT_PROFILE_IMAGE ? given : name && IMAGES_PATH + name;
      if (address === null) throw new ApiError('imageNotFound');
      const { isThere, change } = await repository.choose(userId, address, clock.now());
      if (!isThere) throw new ApiError('imageNotFound');
      if (change) rooms.publish('updated', [change]);
      return address;
    },

    /** Deletes a picture at once, unless it is used. */
    async release(address: string): Promise<void> {
      await repository.markUnused(address);
      await deleteUnused();
    },

    deleteUnused,
  };
}

export type ImagesService = ReturnType<typeof createImagesService>;
