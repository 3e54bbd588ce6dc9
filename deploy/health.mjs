import { readFileSync } from 'node:fs';
import { get } from 'node:http';

/**
 * The health check of a container: whether a process answers, or the product still starts, which takes long when a new
 * version changes a large database.
 */
const { DATA_DIR = '/data', PORT } = process.env;
const url = process.argv[2] ?? `http://127.0.0.1:${PORT || 3000}/livez`;

get(url, ({ statusCode }) => {
  process.exit(statusCode === 200 ? 0 : 1);
}).on('error', () => {
  process.exitCode = isStarting() ? 0 : 1;
});

/** A process that ended while it started took its container with it, so what it wrote is of this start. */
function isStarting() {
  try {
    return JSON.parse(readFileSync(`${DATA_DIR}/instance.json`, 'utf8')).status === 'starting';
  } catch {
    return false;
  }
}
