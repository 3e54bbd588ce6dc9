import pg from 'pg';

/** By the name of an index: its table and columns, as after `create index concurrently NAME on`. */
export type LargeIndexes = Readonly<Record<string, string>>;

/** Held while indexes are built: one process of a site builds, the others go on without waiting. */
const BUILDING_LOCK = 1_296_125_792;

/**
 * Builds the indexes that are missing, or were left unfinished by a process that was killed, without keeping
 * anybody from the tables. Takes as long as it takes; the site serves meanwhile, slower.
 */
export async function buildIndexes(
  config: pg.ClientConfig,
  steps: readonly { readonly indexes?: LargeIndexes }[],
): Promise<void> {
  const wanted = steps.flatMap(({ indexes = {} }) => Object.entries(indexes));
  if (wanted.length === 0) return;
  // Outside the pool: its statements may not take this long.
  const client = new pg.Client({ ...config, statement_timeout: 0 });
  await client.connect();
  try {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as mine', [BUILDING_LOCK]);
    if (!rows[0].mine) return;
    for (const [name, on] of wanted) await buildIndex(client, name, on);
  } finally {
    await client.end();
  }
}

async function buildIndex(client: pg.Client, name: string, on: string): Promise<void> {
  const index = client.escapeIdentifier(name);
  const { rows } = await client.query(
    'select indisvalid as "isValid" from pg_index where indexrelid = to_regclass($1)',
    [index],
  );
  if (rows[0]?.isValid) return;
  if (rows[0]) await client.query(`drop index concurrently ${index}`);
  await client.query(`create index concurrently ${index} on ${on}`);
}
