import { Redis } from 'ioredis';

const ANSWERS_WITHIN_MS = 2_000;

/**
 * Refuses nodes of a Redis cluster and Sentinels, on which channels or counts would fail in part. A server that
 * does not answer is taken: the site runs without it until it does.
 * @throws Error with a sentence for the operator.
 */
export async function refuseOtherThanStandalone(urls: readonly string[]): Promise<void> {
  const modes = await Promise.all(urls.map(readMode));
  const other = modes.find((mode) => mode !== undefined && mode !== 'standalone');
  if (other === undefined) return;
  throw new Error(
    `REDIS_URL names a Redis in ${other} mode. Name one ordinary Redis, or several independent ones with commas between them.`,
  );
}

/** `standalone`, `cluster` or `sentinel`; undefined if the server does not say. */
async function readMode(url: string): Promise<string | undefined> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: ANSWERS_WITHIN_MS,
    commandTimeout: ANSWERS_WITHIN_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // `connect` rejects as well.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return /redis_mode:(\w+)/u.exec(await client.info('server'))?.[1];
  } catch {
    // Not reached, or not allowed to ask.
    return undefined;
  } finally {
    client.disconnect();
  }
}
