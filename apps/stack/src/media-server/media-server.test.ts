import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { RoomServiceClient } from 'livekit-server-sdk';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeDataDir, removeDataDir } from '../../../../test/data-dir.ts';
import { freePort } from '../../../../test/free-port.ts';
import { findMediaServerBinary } from '../../../../test/media-server-binary.ts';
import { identifyProcess } from '../child-process/index.ts';
import { createLogger } from '../logger.ts';
import { internalInterfaces } from './configuration.ts';
import {
  type MediaPorts,
  type MediaServer,
  type MediaServerOptions,
  startMediaServer,
} from './index.ts';

const logger = createLogger('silent');
const START = new URL('./index.ts', import.meta.url).href;
/** Nothing listens there. */
const webhookUrl = 'http://127.0.0.1:9/';

const binaryPath = findMediaServerBinary();
const testWithBinary = test.skipIf(binaryPath === '');

let dataDir: string;
/** Not the default ports, so that an instance running beside the tests is not in the way. */
let ports: MediaPorts;
let servers: MediaServer[] = [];
let otherDataDirs: string[] = [];

beforeEach(async () => {
  dataDir = await makeDataDir();
  ports = {
    signalling: await freePort(),
    tcp: await freePort(),
    livekitTcp: await freePort(),
    udp: await freePort(),
  };
});

afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await Promise.all([dataDir, ...otherDataDirs].map(removeDataDir));
  servers = [];
  otherDataDirs = [];
});

/** The folder of another instance on this machine. */
async function otherDataDir(): Promise<string> {
  const folder = await makeDataDir();
  otherDataDirs.push(folder);
  return folder;
}

async function start(options: Partial<MediaServerOptions> = {}): Promise<MediaServer> {
  const server = await startMediaServer({
    binaryPath,
    dataDir,
    webhookUrl,
    logger,
    ports,
    ...options,
  });
  servers.push(server);
  return server;
}

async function startAndWait(options: Partial<MediaServerOptions> = {}): Promise<MediaServer> {
  const server = await start(options);
  await untilRunning(server);
  return server;
}

const untilRunning = (server: MediaServer) =>
  vi.waitFor(() => expect(server.state().status).toBe('running'), { timeout: 15_000 });

const rooms = ({ url, apiKey, apiSecret }: MediaServer) =>
  new RoomServiceClient(url, apiKey, apiSecret);

async function mediaPid(): Promise<number> {
  const text = await readFile(path.join(dataDir, 'media-server/process.json'), 'utf8');
  return (JSON.parse(text) as { pid: number }).pid;
}

testWithBinary('it obeys the keys in DATA_DIR and no others', async () => {
  const server = await startAndWait();
  expect(await rooms(server).listRooms()).toEqual([]);
  const stranger = new RoomServiceClient(server.url, server.apiKey, 'x'.repeat(48));
  await expect(stranger.listRooms()).rejects.toThrow();
  for (const name of ['keys.json', 'livekit.yaml', 'process.json']) {
    const { mode } = await stat(path.join(dataDir, 'media-server', name));
    expect(mode & 0o777).toBe(0o600);
  }
});

testWithBinary('rooms carry pictures only: no audio codec is enabled (design §6)', async () => {
  const server = await startAndWait();
  const room = await rooms(server).createRoom({ name: 'quiet' });
  expect(room.enabledCodecs.map(({ mime }) => mime)).toEqual(['video/VP8', 'video/rtx']);
});

testWithBinary(
  'behind NAT it gives browsers the public address, and a TURN server with it',
  async () => {
    const turn = { host: 'turn.example.org', port: 443, protocol: 'tls', secret: 's' } as const;
    const server = await startAndWait({ reach: { address: '203.0.113.7', turn } });
    // It serves with this configuration, and nobody else can read the secret in it.
    expect(await rooms(server).listRooms()).toEqual([]);
    const file = path.join(dataDir, 'media-server/livekit.yaml');
    const { rtc } = JSON.parse(await readFile(file, 'utf8'));
    expect(rtc).toMatchObject({ node_ip: '203.0.113.7', turn_servers: [turn] });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  },
);

testWithBinary('the keys stay the same from one start to the next', async () => {
  const first = await startAndWait();
  await first.stop();
  const second = await start();
  expect([second.apiKey, second.apiSecret]).toEqual([first.apiKey, first.apiSecret]);
});

testWithBinary('ports that are taken are left alone, UDP and TCP alike', async () => {
  const udp = createSocket('udp4').bind(ports.udp);
  const tcp = createServer().listen(ports.tcp);
  const livekitTcp = createServer().listen(ports.livekitTcp);
  const signalling = createServer().listen(ports.signalling, '127.0.0.1');
  await Promise.all([
    once(livekitTcp, 'listening'),
    once(udp, 'listening'),
    once(tcp, 'listening'),
    once(signalling, 'listening'),
  ]);
  const server = await startAndWait();
  expect(server.ports.udp).toBeGreaterThan(ports.udp);
  expect(server.ports.tcp).toBeGreaterThan(ports.tcp);
  expect(server.ports.livekitTcp).toBeGreaterThan(ports.livekitTcp);
  expect(Number(new URL(server.url).port)).toBeGreaterThan(ports.signalling);
  expect(await rooms(server).listRooms()).toEqual([]);
  udp.close();
  tcp.close();
  livekitTcp.close();
  signalling.close();
});

testWithBinary('a port that another media server answers on is left to it', async () => {
  const binaryPathOfLate = path.join(dataDir, 'late-livekit-server');
  const canGoOn = path.join(dataDir, 'can-go-on');
  await writeFile(
    binaryPathOfLate,
    `#!/bin/sh\nuntil [ -e '${canGoOn}' ]; do sleep 0.05; done\nexec '${binaryPath}' "$@"\n`,
    { mode: 0o755 },
  );
  const late = await start({ binaryPath: binaryPathOfLate });
  const other = await startAndWait({ dataDir: await otherDataDir() });
  expect(other.url).toBe(late.url);
  await writeFile(canGoOn, '');
  await untilRunning(late);
  expect(late.state().restarts).toBe(0);
  expect(late.url).not.toBe(other.url);
  for (const server of [late, other]) expect(await rooms(server).listRooms()).toEqual([]);
});

testWithBinary(
  'two that start at once get ports of their own, ten times',
  async () => {
    for (let round = 0; round < 10; round += 1) {
      const pair = await Promise.all(
        [dataDir, await otherDataDir()].map((folder) => start({ dataDir: folder })),
      );
      await Promise.all(pair.map(untilRunning));
      for (const server of pair) {
        // Another program that searches for a free port takes it for a moment: then it starts again.
        expect(server.state().restarts).toBeLessThanOrEqual(1);
        expect(await rooms(server).listRooms()).toEqual([]);
      }
      const taken = pair.flatMap((server) => [
        server.ports.signalling,
        server.ports.tcp,
        server.ports.livekitTcp,
        server.ports.udp,
      ]);
      expect(new Set(taken).size).toBe(taken.length);
      await Promise.all(pair.map((server) => server.stop()));
    }
  },
  60_000,
);

testWithBinary('a media server that is killed comes back', async () => {
  const server = await startAndWait();
  const killed = await mediaPid();
  process.kill(killed, 'SIGKILL');
  await vi.waitFor(() => expect(server.state()).toMatchObject({ restarts: 1, status: 'running' }), {
    timeout: 15_000,
  });
  expect(await mediaPid()).not.toBe(killed);
  expect(await rooms(server).listRooms()).toEqual([]);
});

/** A separate process that runs a media server and is killed; returns the pid left behind. */
async function startAndKill(): Promise<number> {
  const script = `
    import { startMediaServer } from '${START}';
    import { pino } from 'pino';
    const server = await startMediaServer({ ...JSON.parse(process.argv[1]), logger: pino({ level: 'silent' }) });
    while (server.state().status !== 'running') await new Promise((resolve) => setTimeout(resolve, 10));
    console.log('running');`;
  const options = JSON.stringify({ binaryPath, dataDir, webhookUrl, ports });
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script, options], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  return mediaPid();
}

testWithBinary('the one that a killed run left behind is taken over with its rooms', async () => {
  const leftOver = await startAndKill();
  const { apiKey, apiSecret } = JSON.parse(
    await readFile(path.join(dataDir, 'media-server/keys.json'), 'utf8'),
  );
  const url = `http://127.0.0.1:${ports.signalling}`;
  await new RoomServiceClient(url, apiKey, apiSecret).createRoom({ name: 'kept' });
  const server = await startAndWait();
  expect(await mediaPid()).toBe(leftOver);
  expect((await rooms(server).listRooms()).map(({ name }) => name)).toEqual(['kept']);

  // It is not our child, but is supervised as well.
  process.kill(leftOver, 'SIGKILL');
  await vi.waitFor(() => expect(server.state()).toMatchObject({ restarts: 1, status: 'running' }), {
    timeout: 15_000,
  });
  expect(await mediaPid()).not.toBe(leftOver);
});

testWithBinary('a left-over server with another configuration is ended', async () => {
  const leftOver = await startAndKill();
  const file = path.join(dataDir, 'media-server/livekit.yaml');
  await writeFile(file, (await readFile(file, 'utf8')).replace('"warn"', '"info"'));
  const server = await startAndWait();
  expect(await identifyProcess(leftOver)).toBeUndefined();
  expect(new URL(server.url).port).toBe(String(ports.signalling));
});

testWithBinary(
  'a left-over server of a release without a guard gives up its TCP port',
  async () => {
    const leftOver = await startAndKill();
    await rm(path.join(dataDir, 'media-server/ports.json'));
    const swapped = { ...ports, tcp: ports.livekitTcp, livekitTcp: ports.tcp };
    const server = await startAndWait({ ports: swapped });
    expect(await identifyProcess(leftOver)).toBeUndefined();
    expect(server.ports.tcp).toBe(ports.livekitTcp);
  },
);

testWithBinary('a stop leaves no process, also in the middle of a start', async () => {
  const server = await start();
  await vi.waitFor(async () => expect(await mediaPid()).toBeGreaterThan(0));
  const pid = await mediaPid();
  await server.stop();
  expect(server.state().status).toBe('stopped');
  expect(await identifyProcess(pid)).toBeUndefined();
});

test('a program that cannot be run does not fail the start: it is degraded and tried again', async () => {
  const server = await start({ binaryPath: path.join(dataDir, 'missing') });
  await vi.waitFor(() => expect(server.state().restarts).toBeGreaterThanOrEqual(2), {
    timeout: 5_000,
  });
  expect(server.state()).toMatchObject({
    status: 'restarting',
    lastError: expect.stringContaining('could not be started'),
  });
  await server.stop();
  expect(server.state().status).toBe('stopped');
});

test('keys that cannot be understood are never replaced', async () => {
  const first = await start({ binaryPath: '/missing' });
  await first.stop();
  const file = path.join(dataDir, 'media-server/keys.json');
  await writeFile(file, '{"apiKey":');
  await expect(start({ binaryPath: '/missing' })).rejects.toThrow(/keys.json does not hold/);
  expect(await readFile(file, 'utf8')).toBe('{"apiKey":');
});

test('bridges of containers are not offered to browsers', () => {
  const names = ['lo', 'eth0', 'en0', 'wlan0', 'docker0', 'br-0123456789ab', 'veth12', 'br-lan'];
  expect(internalInterfaces(names)).toEqual(['docker0', 'br-0123456789ab', 'veth12']);
});
