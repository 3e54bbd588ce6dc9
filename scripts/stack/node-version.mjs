import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './places.mjs';
import { StartError } from './terminal.mjs';

const OLDEST = [20, 19];
/** Runs TypeScript directly. */
const API_MAJOR = 24;

export function isAtLeast(version, [major, minor]) {
  const [ownMajor, ownMinor] = version.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

export function requireNode(version = process.versions.node) {
  if (!isAtLeast(version, OLDEST)) {
    throw new StartError(
      `Node.js ${version} is too old: install Node.js ${OLDEST.join('.')} or newer (https://nodejs.org), then run the command again.`,
    );
  }
}

/** The Node.js that runs the API: the pinned one that npm installed, or this one when it is new enough. */
export function apiNode() {
  const pinned = join(root, 'node_modules', '.bin', 'node');
  if (existsSync(pinned)) {
    return pinned;
  }
  if (isAtLeast(process.versions.node, [API_MAJOR, 0])) {
    return process.execPath;
  }
  throw new StartError(
    `There is no ready Node.js ${API_MAJOR} for ${process.platform}-${process.arch} on npm: install Node.js ${API_MAJOR} or newer, then run the command again.`,
  );
}
