import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const CACHE = path.resolve(import.meta.dirname, '../.cache/livekit-server');

/** The livekit-server that `npm test` and `npm start` provide; empty without one. */
export function findMediaServerBinary(): string {
  const folders = existsSync(CACHE) ? readdirSync(CACHE) : [];
  return folders.map((name) => path.join(CACHE, name, 'livekit-server')).find(existsSync) ?? '';
}
