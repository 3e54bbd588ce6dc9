import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chown,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type SupervisorLogger, writePrivateFile } from '../child-process/index.ts';
import { POSTGRES_MAJOR, type PostgresBinaries } from './binaries.ts';
import type { Role } from './roles.ts';
import { isReachable, type Unprivileged } from './unprivileged.ts';

const CLUSTER_FOLDER = 'postgres';
const DRAFT_PREFIX = 'postgres.initializing-';

/** Path of the cluster of this DATA_DIR, relative to it. */
export function clusterLink(dataDir: string): string {
  return join(dataDir, CLUSTER_FOLDER);
}

export interface PrepareClusterOptions {
  readonly dataDir: string;
  readonly binaries: PostgresBinaries;
  readonly runAs: Unprivileged | undefined;
  readonly durable: boolean;
  readonly superuser: Role;
  readonly logger: SupervisorLogger;
}

/**
 * The folder of the cluster, created with initdb on the first start. Refuses data of another major version.
 */
export async function prepareCluster(options: PrepareClusterOptions): Promise<string> {
  const { dataDir, runAs, logger } = options;
  const link = clusterLink(dataDir);
  const existing = await realpath(link).catch(() => undefined);
  if (existing !== undefined) {
    await refuseOtherMajor(existing);
    return existing;
  }
  if (runAs === undefined || (await isReachable(dataDir, runAs))) {
    await initialise(link, options);
    return realpath(link);
  }
  const hash = createHash('sha256')
    .update(await realpath(dataDir))
    .digest('hex')
    .slice(0, 12);
  const place = join(runAs.home, hash);
  if ((await lstat(place).catch(() => undefined)) === undefined) {
    await mkdir(runAs.home, { recursive: true, mode: 0o755 });
    await initialise(place, options);
  } else {
    await refuseOtherMajor(place);
  }
  await rm(link, { force: true });
  await symlink(place, link);
  logger.info(`The database is kept in ${place}, as PostgreSQL's user cannot reach ${dataDir}`);
  return realpath(link);
}

async function refuseOtherMajor(cluster: string): Promise<void> {
  const major = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (major === undefined) {
    throw new Error(
      `${cluster} is no PostgreSQL data folder. Move it away, or set another DATA_DIR.`,
    );
  }
  if (major.trim() !== POSTGRES_MAJOR) {
    throw new Error(
      `The database in ${cluster} is of PostgreSQL ${major.trim()}, this version brings PostgreSQL ${POSTGRES_MAJOR}. Back it up with the version that made it and restore it with this one.`,
    );
  }
}

/**
 * Creates the cluster beside its final place and moves it there when complete: a crash leaves no partial one.
 */
async function initialise(place: string, options: PrepareClusterOptions): Promise<void> {
  const { binaries, runAs, durable, superuser, logger } = options;
  const parent = dirname(place);
  await removeDrafts(parent);
  const draft = join(parent, `${DRAFT_PREFIX}${process.pid}`);
  await mkdir(draft, { mode: 0o700 });
  if (runAs !== undefined) {
    await chown(draft, runAs.uid, runAs.gid);
  }
  const passwordFile = `${draft}.password`;
  await writePrivateFile(passwordFile, superuser.password);
  if (runAs !== undefined) {
    await chown(passwordFile, runAs.uid, runAs.gid);
  }
  const startedAt = performance.now();
  const parameters = [
    ...['--pgdata', draft, '--username', superuser.user, '--encoding', 'UTF8'],
    // The same sort order everywhere: the data can move between machines and systems.
    ...['--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
    ...['--data-checksums', '--auth-local', 'scram-sha-256', '--auth-host', 'reject'],
    ...['--pwfile', passwordFile],
    ...(durable ? [] : ['--no-sync']),
  ];
  try {
    await promisify(execFile)(binaries.initdb, parameters, {
      cwd: '/',
      env: { TZ: 'UTC', LC_ALL: 'C' },
      uid: runAs?.uid,
      gid: runAs?.gid,
    });
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw new Error(`PostgreSQL could not make its data folder: ${explain(error)}`);
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(draft, place);
  await syncFolder(parent);
  const tookMs = Math.round(performance.now() - startedAt);
  logger.info({ tookMs }, 'Made a new database');
}

async function removeDrafts(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (name.startsWith(DRAFT_PREFIX)) {
      await rm(join(parent, name), { recursive: true, force: true, maxRetries: 5 });
    }
  }
}

/** Makes the rename itself durable. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function explain(error: unknown): string {
  const { stderr, code, message } = error as { stderr?: string; code?: unknown; message: string };
  if (code === 'ENOENT') {
    return 'its program does not run on this system (it needs glibc). Set DATABASE_URL to a PostgreSQL server of your own.';
  }
  return stderr?.trim().split('\n').at(-1) || message;
}
