import { createHash } from 'node:crypto';
import { chown, lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Unprivileged } from './unprivileged.ts';

/** The port only names the socket file: nothing listens on a network. */
export const SOCKET_PORT: number = 5432;
/** macOS allows 103 bytes, Linux 107. */
const SOCKET_PATH_MAX_BYTES = 103;

/**
 * The private folder for the socket: the cluster's own folder, or a short one in the system's
 * folder for temporary files when the socket's path would be too long.
 */
export async function socketFolder(
  cluster: string,
  runAs: Unprivileged | undefined,
): Promise<string> {
  const path = join(cluster, `.s.PGSQL.${SOCKET_PORT}`);
  if (Buffer.byteLength(path) <= SOCKET_PATH_MAX_BYTES) {
    return cluster;
  }
  const uid = runAs?.uid ?? process.getuid?.() ?? 0;
  const hash = createHash('sha256').update(cluster).digest('hex').slice(0, 12);
  const short = join(tmpdir(), `mogakgong-${uid}-${hash}`);
  await mkdir(short, { mode: 0o700 }).then(
    () => (runAs === undefined ? undefined : chown(short, runAs.uid, runAs.gid)),
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') {
        throw error;
      }
    },
  );
  // Any user can create folders there, and the owner of this one could impersonate our database.
  const found = await lstat(short);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    throw new Error(`${short} is not a private folder of ours. Delete it and start again.`);
  }
  return short;
}
