import pg from 'pg';

/** Runs one statement on a connection of its own. */
export async function query(config: pg.ClientConfig, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}
