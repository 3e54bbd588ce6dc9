import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';

/** The user that PostgreSQL runs as when we are root: it refuses to run as root itself. */
export interface Unprivileged {
  readonly uid: number;
  readonly gid: number;
  /** A place that this user can reach, for files that cannot stay in a private folder. */
  readonly home: string;
}

const OWN_USER = 'mogakgong';
const HOME = '/var/lib/mogakgong';
/** `nobody` on Linux and macOS, used if we cannot create a user. */
const NOBODY_ID = 65_534;

/**
 * The user that runs PostgreSQL: our own, or, when we are root, the owner of its data, or a dedicated system
 * user: processes of `nobody` belong to many programs.
 */
export async function chooseUnprivileged(clusterDir: string): Promise<Unprivileged | undefined> {
  if (process.getuid?.() !== 0) {
    return undefined;
  }
  const owner = await stat(clusterDir).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) {
    return { uid: owner.uid, gid: owner.gid, home: HOME };
  }
  const own = (await findOwnUser()) ?? (await makeOwnUser());
  return { uid: own?.uid ?? NOBODY_ID, gid: own?.gid ?? NOBODY_ID, home: HOME };
}

async function findOwnUser(): Promise<{ uid: number; gid: number } | undefined> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const line = users.split('\n').find((user) => user.startsWith(`${OWN_USER}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

async function makeOwnUser() {
  const args = ['--system', '--user-group', '--no-create-home', '--home-dir', HOME];
  // Looked up again below: the program may be missing, or another start may create the user just now.
  await promisify(execFile)('useradd', [...args, '--shell', '/usr/sbin/nologin', OWN_USER]).catch(
    () => undefined,
  );
  return findOwnUser();
}

/** True if that user can pass through every folder on the path and read it. */
export async function isReachable(path: string, user: Unprivileged): Promise<boolean> {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const { uid, gid, mode } = await stat(folder);
    const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
    if (((mode >> shift) & 0o1) === 0) {
      return false;
    }
    if (folder === dirname(folder)) {
      return true;
    }
  }
}
