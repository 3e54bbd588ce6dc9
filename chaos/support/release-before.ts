import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

/** The commit of the release before this one; undefined in a copy without its history. */
export async function findReleaseBefore(): Promise<string | undefined> {
  const commit = (await readFile(path.join(ROOT, 'chaos/release-before.txt'), 'utf8')).trim();
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT, stdio: 'ignore' });
    return commit;
  } catch {
    // A copy without git, or a shallow one.
    return undefined;
  }
}

/**
 * Writes the API of a commit into a folder, on the libraries that are installed for this release.
 * @returns its entry file.
 */
export async function checkOutApi(commit: string, folder: string): Promise<string> {
  await mkdir(folder);
  const archive = path.join(folder, 'release.tar');
  const parts = ['apps/api', 'packages', 'package.json'];
  await run('git', ['archive', '--output', archive, commit, ...parts], { cwd: ROOT });
  await run('tar', ['-xf', archive, '-C', folder]);
  const [installed, modules] = [path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules')];
  await mkdir(path.join(modules, '@mogakgong'), { recursive: true });
  for (const name of await readdir(installed)) {
    if (name === '@mogakgong') continue;
    await symlink(path.join(installed, name), path.join(modules, name));
  }
  for (const name of await readdir(path.join(folder, 'packages'))) {
    await symlink(path.join(folder, 'packages', name), path.join(modules, '@mogakgong', name));
  }
  // Versions that only the API has, if npm has put any there.
  const own = path.join(ROOT, 'apps/api/node_modules');
  if (existsSync(own)) await symlink(own, path.join(folder, 'apps/api/node_modules'));
  return path.join(folder, 'apps/api/src/main.ts');
}
