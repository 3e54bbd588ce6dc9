import { createBatcher } from '../../platform/batch/index.ts';

/** Bytes of all pictures in memory. */
const KEPT_MAX_BYTES = 64 * 1024 * 1024;
/** Pictures of one query. Only one query runs at a time: pictures use one connection of the pool. */
const LOADED_AT_ONCE = 2;

/** The bytes of a picture by its id, for a permitted reader. Null: it is not stored any more. */
export type ReadPicture = (id: string) => Promise<Buffer | null>;

/**
 * Reads pictures for many: an id is the hash of immutable bytes, so each process keeps recently read ones,
 * and concurrent readers share a query.
 */
export function createPictureReader(
  load: (ids: readonly string[]) => Promise<ReadonlyMap<string, Buffer>>,
): ReadPicture {
  /** In the order of the last read. */
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
