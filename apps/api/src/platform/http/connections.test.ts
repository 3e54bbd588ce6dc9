import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../logger/index.ts';
import { limitConnections } from './connections.ts';

const UNREAD_MS = 1_000;
/** More than the system keeps for a connection. */
const LARGE = Buffer.alloc(32 * 1024 * 1024);
/** A slow client reads this much, then pauses: the answer takes several times `UNREAD_MS`. */
const STEP_BYTES = 512 * 1024;
const PAUSE_MS = 50;
const BUSY_MACHINE_MS = 10_000;

/** Answers that a test gives itself, by path. */
const held = new Map<string, ServerResponse>();
const begun: string[] = [];
const server = createServer(({ url = '' }, response) => {
  begun.push(url);
  if (url === '/large') response.end(LARGE);
  else if (url.startsWith('/held')) held.set(url, response);
  else response.end(url);
});
server.on('upgrade', (_request, socket) => {
  socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
  socket.pipe(socket);
});
const connections = limitConnections(server, {
  perNetwork: undefined,
  total: 100,
  unreadMs: UNREAD_MS,
  logger: createLogger('silent'),
});

beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

const inChunks = (path: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`;

function open(bytes: string): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(bytes);
  return socket;
}

/** Resolves with what arrives up to a text. */
async function readUntil(socket: Socket, text: string): Promise<string> {
  let read = '';
  socket.on('data', (chunk) => {
    read += String(chunk);
  });
  await vi.waitFor(() => expect(read).toContain(text), BUSY_MACHINE_MS);
  return read;
}

async function readSlowly(socket: Socket): Promise<number> {
  let [read, since] = [0, 0];
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    read += chunk.length;
    since += chunk.length;
    if (read > LARGE.length) break;
    if (since < STEP_BYTES) continue;
    since = 0;
    await delay(PAUSE_MS);
  }
  return read;
}

describe('an answer that is not read', () => {
  it('ends its connection; not one that reads slowly, waits for its answer, or is upgraded', async () => {
    const waiting = open(get('/held'));
    await vi.waitFor(() => expect(held.has('/held')).toBe(true));
    const upgraded = open('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    await once(upgraded, 'data');
    const slow = readSlowly(open(get('/large')));
    open(get('/large')).pause();
    await vi.waitFor(() => expect(connections.figures().open).toBe(4));
    await vi.waitFor(() => expect(connections.figures().open).toBe(3), BUSY_MACHINE_MS);
    expect(await slow).toBeGreaterThan(LARGE.length);
    held.get('/held')?.end('at last');
    await readUntil(waiting, 'at last');
    upgraded.write('still here');
    await readUntil(upgraded, 'still here');
  });
});

describe('pipelined requests', () => {
  it('are handled one after the other, and count as one that is busy', async () => {
    begun.splice(0);
    const socket = open(get('/held/1') + get('/held/2') + get('/3'));
    await vi.waitFor(() => expect(begun).toEqual(['/held/1']));
    held.get('/held/1')?.end('/1');
    await vi.waitFor(() => expect(begun).toEqual(['/held/1', '/held/2']));
    held.get('/held/2')?.end('/2');
    expect(await readUntil(socket, '/3')).toMatch(/\/1.*\/2.*\/3/su);
    socket.destroy();
  });

  it('beyond sixteen end their connection, and nothing is done for them', async () => {
    begun.splice(0);
    const socket = open(get('/held/many') + get('/never').repeat(1_000));
    socket.resume();
    await vi.waitFor(() => expect(socket.closed).toBe(true), BUSY_MACHINE_MS);
    expect(begun).toEqual(['/held/many']);
    const allowed = open(get('/held/few') + get('/last').repeat(15));
    await vi.waitFor(() => expect(begun).toContain('/held/few'));
    held.get('/held/few')?.end('/few');
    await vi.waitFor(() => expect(begun.filter((url) => url === '/last')).toHaveLength(15));
    allowed.destroy();
  });

  it('end their connection with one whose body has no length, and nothing is done for it', async () => {
    begun.splice(0);
    const socket = open(`${get('/held/before')}${inChunks('/never')}`);
    socket.resume();
    await vi.waitFor(() => expect(socket.closed).toBe(true), BUSY_MACHINE_MS);
    expect(begun).toEqual(['/held/before']);
    const refused = open(`${inChunks('/never')}0\r\n\r\n${get('/never')}`);
    expect(await readUntil(refused, '\r\n\r\n')).toContain('HTTP/1.1 411 ');
    await vi.waitFor(() => expect(refused.closed).toBe(true), BUSY_MACHINE_MS);
    expect(begun).toEqual(['/held/before']);
  });
});
