import { createBatcher } from '../../platform/batch/index.ts';

/** Bytes of all pictures that are kept. */
const KEPT_MAX_BYTES = 64 * 1024 * 1024;
/** Pictures of one query. One query is under way at a time: pictures hold one connection of the pool. */
const LOADED_AT_ONCE = 2;

/** The bytes of a picture by its id, for somebody who may see it. Null: it is not stored any more. */
export type ReadPicture = (id: string) => Promise<Buffer | null>;

/**
 * Reads pictures for many: an id is the hash of what never changes, so each process keeps those that were read
 * lately, and all who ask for one at the same time share its query.
 */
export function createPictureReader(
  load: (ids: readonly string[]) => Promise<ReadonlyMap<string, Buffer>>,
): ReadPicture {
  /** The one that was read last is the last. */
  const kept = new Map<string, Buffer>();
  const loading = new Map<string, Promise<Buffer | null>>();
  let keptBytes = 0;

  const ask = createBatcher(async (ids: readonly string[]) => {
    const found = await load(ids);
    return ids.map((id) => found.get(id) ?? null);
  }, LOADED_AT_ONCE);

  function keep(id: string, picture: Buffer): void {
    kept.set(id, picture);
    keptBytes += picture.length;
    for (const [oldest, { length }] of kept) {
      if (keptBytes <= KEPT_MAX_BYTES) return;
      kept.delete(oldest);
      keptBytes -= length;
    }
  }

  async function loadAndKeep(id: string): Promise<Buffer | null> {
    try {
      const picture = await ask(id);
      if (picture) keep(id, picture);
      return picture;
    } finally {
      loading.delete(id);
    }
  }

  return async (id) => {
    const known = kept.get(id);
    if (known) {
      kept.delete(id);
      kept.set(id, known);
      return known;
    }
    const asked = loading.get(id) ?? loadAndKeep(id);
    loading.set(id, asked);
    return asked;
  };
}
