import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { writePrivateFile } from '../child-process/index.ts';

const SECRET_BYTES = 32;

/**
 * A secret that is made once and kept in a file only its owner can read. The instance lock on
 * DATA_DIR keeps two processes from making it at once.
 */
export async function readOrCreateSecret(file: string): Promise<string> {
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (kept.trim() !== '') return kept.trim();
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  await writePrivateFile(file, `${secret}\n`);
  return secret;
}
