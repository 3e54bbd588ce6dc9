import { execFile } from 'node:child_process';
import path from 'node:path';
import type { RunningStack } from './running-stack.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

/** Runs the operator's command, `npm run admin`, on a running product. */
export function admin(
  stack: Pick<RunningStack, 'dataDir'>,
  words: string,
  input = '',
): Promise<string> {
  const script = ['apps/stack/src/with-database.ts', 'apps/api/src/admin.ts'];
  return new Promise((resolve, reject) => {
    const command = execFile(
      process.execPath,
      [...script, ...words.split(' ')],
      { cwd: ROOT, env: { ...process.env, DATA_DIR: stack.dataDir } },
      (error, stdout) => (error ? reject(error) : resolve(stdout)),
    );
    command.stdin?.end(input);
  });
}
