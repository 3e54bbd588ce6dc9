import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './places.mjs';

/** Reads `.env` beside the README, if there is one; what is set already stays. */
export function readEnvFile() {
  const path = join(root, '.env');
  if (existsSync(path)) {
    process.loadEnvFile(path);
  }
}
