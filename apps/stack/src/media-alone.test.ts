import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { RoomServiceClient } from 'livekit-server-sdk';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeDataDir, removeDataDir } from '../../../test/data-dir.ts';
import { findMediaServerBinary } from '../../../test/media-server-binary.ts';

const MEDIA_SERVER_BINARY = findMediaServerBinary();

async function start(env: Readonly<Record<string, string>>) {
  const folder = await makeDataDir();
  onTestFinished(() => removeDataDir(folder));
  const secretFile = path.join(folder, 'secret');
  await writeFile(secretFile, 'the secret of a media server elsewhere\n');
  const media = spawn(process.execPath, [path.join(import.meta.dirname, 'media-alone.ts')], {
    env: {
      ...{ DATA_DIR: folder, MEDIA_SERVER_BINARY, LIVEKIT_API_KEY: 'elsewhere' },
      ...{ LIVEKIT_API_SECRET_FILE: secretFile, LOG_LEVEL: 'silent' },
      ...env,
    },
  });
  const said: string[] = [];
  media.stderr.on('data', (text) => said.push(String(text)));
  return { folder, media, said, ended: once(media, 'exit') };
}

test.skipIf(MEDIA_SERVER_BINARY === '')(
  'a media server by itself obeys the keys it is given, and ends in order',
  async () => {
    const { folder, media, ended } = await start({ PUBLIC_URL: 'http://127.0.0.1:9' });
    const ports = path.join(folder, 'media-server/ports.json');
    await vi.waitFor(async () => {
      const { signalling } = JSON.parse(await readFile(ports, 'utf8'));
      const url = `http://127.0.0.1:${signalling}`;
      const rooms = new RoomServiceClient(
        url,
        'elsewhere',
        'the secret of a media server elsewhere',
      );
      expect(await rooms.listRooms()).toEqual([]);
    });
    media.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
  },
);

test('a media server by itself says which variables it needs', async () => {
  const { said, ended } = await start({ LIVEKIT_API_KEY: '' });
  expect((await ended)[0]).toBe(1);
  expect(said.join('')).toMatch(/^✗ A media server by itself needs .*PUBLIC_URL\.\n$/u);
});
