import { type BucketOptions, createBucket } from '../../platform/object-storage/index.ts';
import type { ImageStore } from './image-store.ts';

/** Larger than any picture that we store. */
const PICTURE_MAX_BYTES = 2 * 1024 * 1024;
const keyOf = (name: string) => `images/${name}`;

/** Stores pictures in a bucket. */
export function createS3Store(options: BucketOptions): ImageStore {
  const bucket = createBucket(options);
  return {
    async put(name, bytes) {
      const headers = {
        'content-type': 'image/webp',
        // The service compares it with the received bytes.
        'x-amz-content-sha256': name.replace('.webp', ''),
      };
      await bucket.ask(keyOf(name), { method: 'PUT', headers, body: Buffer.from(bytes) });
    },
    get: (name) => bucket.read(keyOf(name), { method: 'GET' }, PICTURE_MAX_BYTES),
    async remove(name) {
      await bucket.ask(keyOf(name), { method: 'DELETE' });
    },
    // A picture appears only once it has arrived completely.
    async removeUnfinished() {},
  };
}
