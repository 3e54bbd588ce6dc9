import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { writePrivateFile } from './child-process/index.ts';
import type { StackEnv } from './env.ts';

const SECRET_BYTES = 32;
const newSecret = () => randomBytes(SECRET_BYTES).toString('hex');

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
  const secret = newSecret();
  await writePrivateFile(file, `${secret}\n`);
  return secret;
}

const authSecretsFile = (env: StackEnv) => path.join(env.dataDir, 'auth-secret');

/** The secrets of DATA_DIR, newest first. */
const readAuthSecrets = async (env: StackEnv) =>
  (await readOrCreateSecret(authSecretsFile(env))).split('\n');

/** Empty where the operator set AUTH_SECRET. */
export interface AuthSecretEnv {
  readonly AUTH_SECRET?: string;
}

/** The AUTH_SECRET of DATA_DIR, unless the operator set one. */
export async function provideAuthSecret(env: StackEnv): Promise<AuthSecretEnv> {
  if (env.has('AUTH_SECRET')) return {};
  return { AUTH_SECRET: (await readAuthSecrets(env)).join() };
}

/**
 * The secrets with which the API processes restart one by one, so that they understand each other at every
 * moment: all of them know a new secret before the first one signs with it.
 */
export function stepsToSecrets(
  present: AuthSecretEnv,
  next: AuthSecretEnv,
): readonly AuthSecretEnv[] {
  const known = present.AUTH_SECRET?.split(',') ?? [];
  const [first] = next.AUTH_SECRET?.split(',') ?? [];
  if (first === undefined || known.includes(first)) return [next];
  return [{ AUTH_SECRET: [...known, first].join() }, next];
}

const RESTART = 'restart the API: kill -HUP of the process in DATA_DIR/instance.json.';

/** `npm run admin -- secrets rotate`. @returns what to print. */
export async function rotateAuthSecret(env: StackEnv): Promise<string> {
  const secret = newSecret();
  if (env.has('AUTH_SECRET')) {
    return `${secret}\nPut it behind the secret of AUTH_SECRET, as docs/operating/secrets.md says.`;
  }
  const secrets = [secret, ...(await readAuthSecrets(env))];
  await writePrivateFile(authSecretsFile(env), `${secrets.join('\n')}\n`);
  return `DATA_DIR has a new secret. Now ${RESTART}\nThen npm run admin -- secrets prune removes the old one.`;
}

/** The end of `npm run admin -- secrets prune`. @returns what to print. */
export async function keepNewestSecret(env: StackEnv): Promise<string> {
  if (env.has('AUTH_SECRET')) return 'Take the others out of AUTH_SECRET, and restart every API.';
  const [newest] = await readAuthSecrets(env);
  await writePrivateFile(authSecretsFile(env), `${newest}\n`);
  return `DATA_DIR has the newest secret alone. Now ${RESTART}`;
}

/**
 * Adds secrets that sign no more, but still open what they have sealed.
 * @returns false where the operator set AUTH_SECRET: nothing is kept.
 */
export async function keepSecrets(env: StackEnv, secrets: readonly string[]): Promise<boolean> {
  if (env.has('AUTH_SECRET')) return false;
  const all = new Set([...(await readAuthSecrets(env)), ...secrets]);
  await writePrivateFile(authSecretsFile(env), `${[...all].join('\n')}\n`);
  return true;
}
