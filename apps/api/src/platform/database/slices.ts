import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isDatabaseUnavailable } from './database-errors.ts';

/** Rows that one statement of a sweep changes or deletes: far below a second, however many are due. */
export const SLICE_ROWS = 1_000;

/** As `SLICE_ROWS`, of rows that are large themselves or by what goes with them. */
export const LARGE_ROWS = 20;

/** Deletes the rows of a table for which `which` holds, a slice a statement until none is left. */
export async function deleteInSlices<Tables>(
  db: Kysely<Tables>,
  table: string,
  which: RawBuilder<unknown>,
  limit = SLICE_ROWS,
): Promise<void> {
  let deleted: bigint | undefined;
  do {
    // A row that changes meanwhile has another ctid, and is left for the next slice to judge.
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any (array(
        select ctid from ${sql.table(table)} where ${which} limit ${limit}
      ))`.execute(db);
    deleted = numAffectedRows;
  } while (deleted === BigInt(limit));
}

/**
 * Does work on items together. Where that fails, they are halved until the item that cannot be done
 * stands alone: it is reported, and the others are done.
 * @throws as soon as the database is not available: the caller repeats everything later.
 */
export async function inHalves<Item>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<unknown>,
  onFailure: (error: unknown, item: Item) => void,
): Promise<void> {
  try {
    await work(items);
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    const [first, ...others] = items;
    if (first === undefined) return;
    if (others.length === 0) return onFailure(error, first);
    const half = Math.ceil(items.length / 2);
    await inHalves(items.slice(0, half), work, onFailure);
    await inHalves(items.slice(half), work, onFailure);
  }
}

interface Sweep<Item> {
  /** The next items after the last one of the slice before (null at first), in a fixed order. */
  readonly find: (after: Item | null, limit: number) => Promise<readonly Item[]>;
  readonly work: (items: readonly Item[]) => Promise<unknown>;
}

/**
 * Does repeated work on everything that is due, a slice after the other. An item that cannot be done
 * does not keep the others from it.
 * @throws the first failure, once everything else is done; at once when the database is not available.
 */
export async function sweepInSlices<Item>(
  { find, work }: Sweep<Item>,
  limit = SLICE_ROWS,
): Promise<void> {
  const failures: unknown[] = [];
  let after: Item | null = null;
  for (;;) {
    const items: readonly Item[] = await find(after, limit);
    await inHalves(items, work, (error) => void failures.push(error));
    if (items.length < limit) break;
    after = items.at(-1) ?? null;
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Does repeated work on everything that is due, one after the other or so many at once. One that
 * cannot be done does not keep the others from it.
 * @throws the first failure, once everything else is done; at once when the database is not available.
 */
export async function forEachDue<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<unknown>,
  atOnce = 1,
): Promise<void> {
  const failures: unknown[] = [];
  const left = [...items].values();
  async function workThrough(): Promise<void> {
    for (const item of left) {
      await work(item).catch((error: unknown) => {
        if (isDatabaseUnavailable(error)) throw error;
        failures.push(error);
      });
    }
  }
  await Promise.all(Array.from({ length: atOnce }, workThrough));
  if (failures.length > 0) throw failures[0];
}
