import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { RELEASE_BASE_URL } from './media-server-release.mjs';
import { readFromTar } from './tar.mjs';

const CONNECT_TIMEOUT_MS = 6_000;
const STALLED_AFTER_MS = 20_000;
const MEGABYTE = 1_000_000;

/**
 * The livekit-server program out of a release archive. The archive's hash is checked before
 * anything of it is used.
 * @param {{file: string, sha256: string, bytes: number}} archive
 * @throws when it cannot be had or is not what it must be; the message says which
 */
export async function downloadMediaServer(archive, progress) {
  const base = (process.env.LIVEKIT_RELEASE_BASE_URL || RELEASE_BASE_URL).replace(/\/+$/, '');
  const url = `${base}/${archive.file}`;
  const bytes = await download(url, archive.bytes, progress);
  const hash = createHash('sha256').update(bytes).digest('hex');
  if (hash !== archive.sha256) {
    throw new Error(
      `${url} is not the archive that was released (sha256 ${hash.slice(0, 16)}…, not ${archive.sha256.slice(0, 16)}…): it was thrown away and not run`,
    );
  }
  const program = readFromTar(gunzipSync(bytes), 'livekit-server');
  if (program === undefined) {
    throw new Error(`${url} holds no livekit-server`);
  }
  return program;
}

async function download(url, maxBytes, progress) {
  const cut = new AbortController();
  let timer = setTimeout(() => cut.abort(), CONNECT_TIMEOUT_MS);
  const chunks = [];
  let received = 0;
  try {
    const answer = await fetch(url, { signal: cut.signal });
    if (!answer.ok) {
      throw new Error(`status ${answer.status}`);
    }
    for await (const chunk of answer.body) {
      clearTimeout(timer);
      timer = setTimeout(() => cut.abort(), STALLED_AFTER_MS);
      chunks.push(chunk);
      received += chunk.length;
      progress(`${(received / MEGABYTE).toFixed(1)} of ${(maxBytes / MEGABYTE).toFixed(1)} MB`);
      if (received > maxBytes) {
        break;
      }
    }
    return Buffer.concat(chunks);
  } catch (error) {
    const reason = cut.signal.aborted ? 'no answer' : (error.cause?.code ?? error.message);
    throw new Error(`${url} cannot be had (${reason})`);
  } finally {
    clearTimeout(timer);
    cut.abort();
  }
}
