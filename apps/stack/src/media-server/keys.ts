import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { writePrivateFile } from '../child-process/index.ts';

/** Key and secret that sign media tokens and calls of the media server's API. */
export interface MediaKeys {
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** LiveKit wants a secret of at least 32 characters. */
const SECRET_BYTES = 36;
const KEY_BYTES = 9;

/** The keys in `path`, created on the first call. An unreadable file is an error, never replaced. */
export async function loadOrCreateKeys(path: string): Promise<MediaKeys> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') {
      return undefined;
    }
    throw error;
  });
  if (text !== undefined) {
    return parseKeys(text, path);
  }
  const keys: MediaKeys = {
    apiKey: `MG${randomBytes(KEY_BYTES).toString('hex')}`,
    apiSecret: randomBytes(SECRET_BYTES).toString('base64url'),
  };
  await writePrivateFile(path, `${JSON.stringify(keys, null, 2)}\n`);
  return keys;
}

function parseKeys(text: string, path: string): MediaKeys {
  let value: Partial<MediaKeys> | undefined;
  try {
    value = JSON.parse(text) as Partial<MediaKeys>;
  } catch {
    // Distinguished from a valid file below.
  }
  if (typeof value?.apiKey !== 'string' || typeof value.apiSecret !== 'string') {
    throw new Error(
      `${path} does not hold the media server's keys; delete it to have new ones made`,
    );
  }
  return { apiKey: value.apiKey, apiSecret: value.apiSecret };
}
