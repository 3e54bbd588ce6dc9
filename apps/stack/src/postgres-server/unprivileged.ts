import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** The user that PostgreSQL runs as when we are root: it refuses to run as root itself. */
export interface Unprivileged {
  readonly uid: number;
  readonly gid: number;
  /** A place that this user can reach, for what must not stay in a private folder. */
  readonly home: string;
}

/** `nobody` on Linux and macOS, without the need to make a user. */
const NOBODY_ID = 65_534;
const HOME = '/var/lib/mogakgong';

/** Who runs PostgreSQL: ourselves, or, when we are root, the owner of its data, or else nobody. */
export async function chooseUnprivileged(clusterDir: string): Promise<Unprivileged | undefined> {
  if (process.getuid?.() !== 0) {
    return undefined;
  }
  const owner = await stat(clusterDir).catch(() => undefined);
  const nobody = { uid: NOBODY_ID, gid: NOBODY_ID, home: HOME };
  return owner === undefined || owner.uid === 0
    ? nobody
    : { uid: owner.uid, gid: owner.gid, home: HOME };
}

/** True when that user may pass through every folder on the way to `path`, and read it. */
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
