import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const BYTES = 16_384;

/** A disk with room for 16 KB. */
export interface TinyDisk extends Disposable {
  readonly folder: string;
}

/** Mounts a disk; null where this user cannot (Linux, usually root can). */
export function openTinyDisk(): TinyDisk | null {
  const folder = mkdtempSync(path.join(tmpdir(), 'mogakgong-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${BYTES}`, 'tmpfs', folder]);
  if (mounted.status === 0) {
    return {
      folder,
      [Symbol.dispose]() {
        spawnSync('umount', [folder]);
        rmSync(folder, { recursive: true, force: true });
      },
    };
  }
  rmSync(folder, { recursive: true, force: true });
  return null;
}
