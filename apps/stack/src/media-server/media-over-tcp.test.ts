import { execFileSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { AccessToken } from 'livekit-server-sdk';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeDataDir, removeDataDir } from '../../../../test/data-dir.ts';
import { freePort } from '../../../../test/free-port.ts';
import { findMediaServerBinary } from '../../../../test/media-server-binary.ts';
import { createLogger } from '../logger.ts';
import { type MediaServer, startMediaServer } from './index.ts';
import { endsJunk } from './tcp-port-check.ts';

const binaryPath = findMediaServerBinary();
/** Descriptors of a process are counted and limited there alone. */
const testOnLinux = test.skipIf(binaryPath === '' || process.platform !== 'linux');

const logger = createLogger('silent');
let dataDir: string;
let server: MediaServer;
const sockets: Socket[] = [];

beforeEach(async () => {
  dataDir = await makeDataDir();
  server = await startMediaServer({
    ...{ binaryPath, dataDir, logger, webhookUrl: 'http://127.0.0.1:9/', checkEveryMs: 500 },
    ports: {
      signalling: await freePort(),
      tcp: await freePort(),
      livekitTcp: await freePort(),
      udp: await freePort(),
    },
  });
  await server.tried;
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.stop();
  await removeDataDir(dataDir);
});

const mediaPid = async (): Promise<number> =>
  JSON.parse(await readFile(path.join(dataDir, 'media-server/process.json'), 'utf8')).pid;

const descriptors = async () => (await readdir(`/proc/${await mediaPid()}/fd`)).length;

async function open(port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  sockets.push(socket);
  socket.on('error', () => socket.destroy());
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
  return socket.resume();
}

/** Joins a room by hand; the key with which LiveKit answers STUN requests of this participant. */
async function joinRoom(): Promise<{ username: string; password: string; leave: () => void }> {
  const token = new AccessToken(server.apiKey, server.apiSecret, { identity: 'learner' });
  token.addGrant({ room: 'room', roomJoin: true });
  const parameters = `access_token=${await token.toJwt()}&auto_subscribe=1&protocol=16`;
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/rtc?${parameters}`);
  socket.binaryType = 'arraybuffer';
  const offer = await new Promise<string>((resolve) => {
    socket.onmessage = ({ data }) => {
      const text = Buffer.from(data).toString('latin1');
      if (text.includes('a=ice-pwd:')) resolve(text);
    };
  });
  const [, mid] = /a=mid:(\S+)/u.exec(offer) ?? [];
  const [, ufrag] = /a=ice-ufrag:(\S+)/u.exec(offer) ?? [];
  const [, password = ''] = /a=ice-pwd:(\S+)/u.exec(offer) ?? [];
  const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':');
  const lines = [
    ...['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 't=0 0', `a=group:BUNDLE ${mid}`],
    ...['m=application 9 UDP/DTLS/SCTP webrtc-datachannel', 'c=IN IP4 0.0.0.0', `a=mid:${mid}`],
    ...['a=ice-ufrag:learner', `a=ice-pwd:${'p'.repeat(24)}`, 'a=setup:active', 'a=sctp-port:5000'],
    ...[`a=fingerprint:sha-256 ${fingerprint}`, ''],
  ];
  // A text is read as JSON.
  socket.send(JSON.stringify({ answer: { type: 'answer', sdp: lines.join('\r\n') } }));
  return { username: `${ufrag}:learner`, password, leave: () => socket.close() };
}

/** A STUN attribute, filled up to four bytes. */
function attribute(type: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(value.length, 2);
  return Buffer.concat([head, value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
}

/** A signed binding request, as a browser sends it over TCP. */
function bindingRequest(username: string, password: string): Buffer {
  const attributes = Buffer.concat([
    attribute(0x0006, Buffer.from(username)),
    attribute(0x0024, Buffer.from([0x6e, 0, 0, 0xff])),
    attribute(0x802a, randomBytes(8)),
  ]);
  const header = Buffer.concat([Buffer.from('000100002112a442', 'hex'), randomBytes(12)]);
  header.writeUInt16BE(attributes.length + 24, 2);
  const signed = Buffer.concat([header, attributes]);
  const signature = createHmac('sha1', password).update(signed).digest();
  const message = Buffer.concat([signed, attribute(0x0008, signature)]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

testOnLinux(
  'three hundred idle connections are none of LiveKit’s, and a participant elsewhere gets through',
  async () => {
    const { username, password, leave } = await joinRoom();
    const before = await descriptors();
    await Promise.all(Array.from({ length: 300 }, () => open(server.ports.tcp, '127.0.0.1')));
    expect(await descriptors()).toBeLessThan(before + 10);
    const socket = await open(server.ports.tcp, '127.0.0.2');
    socket.write(bindingRequest(username, password));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.readUInt16BE(2)).toBe(0x0101);
    // A request with another signature gets none, so its connection is not proven.
    const stranger = await open(server.ports.tcp, '127.0.0.3');
    stranger.write(bindingRequest(username, 'x'.repeat(32)));
    await vi.waitFor(() => expect(stranger.closed).toBe(true));
    expect(stranger.bytesRead).toBe(0);
    expect(socket.closed).toBe(false);
    leave();
  },
);

testOnLinux(
  'a TCP port that has stopped accepting is noticed, and LiveKit starts again',
  async () => {
    const pid = await mediaPid();
    const limit = (count: number) =>
      execFileSync('prlimit', ['--pid', String(pid), `--nofile=${count}:20000`]);
    await vi.waitFor(async () => {
      limit(1);
      await open(server.ports.livekitTcp, '127.0.0.1');
      limit(20_000);
      expect(await endsJunk(server.ports.livekitTcp)).toBe(false);
    });
    await vi.waitFor(
      () => expect(server.state()).toMatchObject({ restarts: 1, status: 'running' }),
      {
        timeout: 30_000,
      },
    );
    expect(await mediaPid()).not.toBe(pid);
    expect(await endsJunk(server.ports.livekitTcp)).toBe(true);
  },
);
