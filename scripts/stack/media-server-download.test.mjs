import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { downloadMediaServer } from './media-server-download.mjs';

const BLOCK = 512;
let server;
let body;

beforeEach(async () => {
  server = createServer((request, answer) => {
    answer.statusCode = request.url === '/mirror/livekit.tar.gz' && body !== undefined ? 200 : 404;
    answer.end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  vi.stubEnv('LIVEKIT_RELEASE_BASE_URL', `http://127.0.0.1:${port}/mirror/`);
});

afterEach(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

/** A tar archive of these files, in the classic format. */
function tar(files) {
  const parts = Object.entries(files).flatMap(([name, content]) => {
    const header = Buffer.alloc(BLOCK);
    header.write(name, 0);
    header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
    const padded = Buffer.alloc(Math.ceil(content.length / BLOCK) * BLOCK);
    padded.write(content);
    return [header, padded];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

function archiveOf(bytes) {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { file: 'livekit.tar.gz', sha256, bytes: bytes.length };
}

test('the program comes out of an archive whose hash is right', async () => {
  body = gzipSync(tar({ LICENSE: 'x'.repeat(700), 'livekit-server': 'the program' }));
  const progress = vi.fn();
  const program = await downloadMediaServer(archiveOf(body), progress);
  expect(program.toString()).toBe('the program');
  expect(progress).toHaveBeenCalled();
});

test('an archive whose hash is wrong is refused, with one line that says so', async () => {
  body = gzipSync(tar({ 'livekit-server': 'something else' }));
  const wanted = { ...archiveOf(Buffer.from('the released one')), bytes: body.length };
  await expect(downloadMediaServer(wanted, () => {})).rejects.toThrow(
    /is not the archive that was released \(sha256 .*thrown away and not run$/,
  );
});

test('an archive that does not end is not read for ever', async () => {
  body = Buffer.alloc(1_000_000);
  const wanted = { ...archiveOf(Buffer.from('short')), bytes: 5 };
  await expect(downloadMediaServer(wanted, () => {})).rejects.toThrow(/is not the archive/);
});

test('an archive without the program is an error', async () => {
  body = gzipSync(tar({ LICENSE: 'text' }));
  await expect(downloadMediaServer(archiveOf(body), () => {})).rejects.toThrow(
    /holds no livekit-server/,
  );
});

test('a mirror without the archive, and an unreachable one, are reported with the reason', async () => {
  body = undefined;
  const wanted = archiveOf(Buffer.from('x'));
  await expect(downloadMediaServer(wanted, () => {})).rejects.toThrow(
    /cannot be had \(status 404\)/,
  );
  server.close();
  await expect(downloadMediaServer(wanted, () => {})).rejects.toThrow(
    /cannot be had \(ECONNREFUSED\)/,
  );
});
