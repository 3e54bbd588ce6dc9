import { type RawBuilder, sql } from 'kysely';
import type { Database } from './database.ts';
import { isDatabaseUnavailable } from './database-errors.ts';

/** Maximum number of rows that one statement of a sweep changes or deletes: far below a second. */
export const SLICE_ROWS = 1_000;

/** Like `SLICE_ROWS`, for rows with large or much dependent data. */
export const LARGE_ROWS = 20;

/** Deletes the rows of a table that satisfy `which`, one slice per statement. */
export async function deleteInSlices(
  db: Database,
  table: string,
  which: RawBuilder<unknown>,
  limit = SLICE_ROWS,
): Promise<void> {
  let deleted: bigint | undefined;
  do {
    // A row that changes meanwhile has another ctid and is left to the next slice.
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any (array(
        select ctid from ${sql.table(table)} where ${which} limit ${limit}
      ))`.execute(db);
    deleted = numAffectedRows;
  } while (deleted === BigInt(limit));
}

/**
 * Works on items together. If that fails, it halves them until the failing item is alone: it is reported, and
 * the others are done.
 * @throws as soon as the database is unavailable: the caller repeats everything later.
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
  /** The next items after the last one of the previous slice (null at first), in a fixed order. */
  readonly find: (after: Item | null, limit: number) => Promise<readonly Item[]>;
  readonly work: (items: readonly Item[]) => Promise<unknown>;
}

/**
 * Works on all due items, one slice after the other. A failing item does not stop the others.
 * @throws the first failure, after everything else is done; at once if the database is unavailable.
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
 * Works on all due items, one by one or several at once. A failing one does not stop the others.
 * @throws the first failure, after everything else is done; at once if the database is unavailable.
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
