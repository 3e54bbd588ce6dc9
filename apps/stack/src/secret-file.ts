import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { writePrivateFile } from './child-process/index.ts';
import type { StackEnv } from './env.ts';

const SECRET_BYTES = 32;

/**
 * A secret that is created once and kept in a file only its owner can read. The instance lock on DATA_DIR
 * prevents two processes from creating it at once.
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

/** The AUTH_SECRET of DATA_DIR, unless the operator set one. */
export async function provideAuthSecret(env: StackEnv): Promise<{ AUTH_SECRET?: string }> {
  if (env.has('AUTH_SECRET')) return {};
  return { AUTH_SECRET: await readOrCreateSecret(path.join(env.dataDir, 'auth-secret')) };
}
