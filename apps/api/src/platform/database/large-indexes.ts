import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** By the name of an index: its table and columns, as after `create index concurrently NAME on`. */
export type LargeIndexes = Readonly<Record<string, string>>;

/** Two processes build at the same moment: both look again a little later, each at another moment. */
const MET_ANOTHER: ReadonlySet<string | undefined> = new Set([
  '42P07', // The index exists.
  '42704', // It does not, so it is dropped.
  '40P01', // Each waits for the other.
]);
const LOOK_AGAIN_MS = 1_000;

/**
 * Builds the indexes that are missing, or were left unfinished by a process that was killed, without keeping
 * anybody from the tables. One process of a site builds each; it takes as long as it takes, and the site serves
 * meanwhile.
 */
export async function buildIndexes(
  config: pg.ClientConfig,
  steps: readonly { readonly indexes?: LargeIndexes }[],
): Promise<void> {
  const wanted = steps.flatMap(({ indexes = {} }) => Object.entries(indexes));
  if (wanted.length === 0) return;
  // Outside the pool, whose statements may not take this long.
  const client = new pg.Client(config);
  await client.connect();
  try {
    for (const [name, on] of wanted) await buildIndex(client, name, on);
  } finally {
    await client.end();
  }
}

/** Resolves when the index is valid, or another process builds it. */
async function buildIndex(client: pg.Client, name: string, on: string): Promise<void> {
  const index = client.escapeIdentifier(name);
  for (;;) {
    const { rows } = await client.query(
      `select indisvalid as "isValid", exists (
         select from pg_stat_progress_create_index as progress where progress.index_relid = indexrelid
       ) as "isBuilt"
       from pg_index where indexrelid = to_regclass($1)`,
      [index],
    );
    if (rows[0]?.isValid || rows[0]?.isBuilt) return;
    try {
      if (rows[0]) await client.query(`drop index concurrently ${index}`);
      await client.query(`create index concurrently ${index} on ${on}`);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError && MET_ANOTHER.has(error.code))) throw error;
      await delay(LOOK_AGAIN_MS * Math.random());
    }
  }
}
