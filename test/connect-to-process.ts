import { once } from 'node:events';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { apiPids, type RunningStack } from './running-stack.ts';

const CONNECTED_WITHIN_MS = 60_000;
/** Connections that come at once are taken by all processes, one by one mostly by the same (decision 044). */
const AT_ONCE = 8;
const TAKEN_WITHIN_MS = 5_000;
const ASK_EVERY_MS = 5;
const SERVE_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 200;

/**
 * A connection to one of the API processes of a stack. Whichever process is free takes a new connection,
 * so they are made until the wanted one has taken one. Linux only.
 */
export async function connectToProcess(stack: RunningStack, pid: number): Promise<Socket> {
  const endMs = performance.now() + CONNECTED_WITHIN_MS;
  while (performance.now() < endMs) {
    const sockets = await Promise.all(Array.from({ length: AT_ONCE }, () => connectTo(stack)));
    const owners = await Promise.all(sockets.map((socket) => ownerOf(socket, stack)));
    const wanted = sockets[owners.indexOf(pid)];
    for (const socket of sockets) if (socket !== wanted) socket.destroy();
    if (wanted) return wanted;
  }
  throw new Error(`process ${pid} takes no connection`);
}

async function connectTo({ port }: RunningStack): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port });
  await once(socket, 'connect');
  return socket;
}

/** The API process that has taken a connection. */
async function ownerOf(socket: Socket, stack: RunningStack): Promise<number | undefined> {
  const endMs = performance.now() + TAKEN_WITHIN_MS;
  while (performance.now() < endMs) {
    const inode = await inodeOfPeer(socket);
    for (const pid of await apiPids(stack)) {
      if (inode !== undefined && (await socketsOf(pid)).has(inode)) return pid;
    }
    await delay(ASK_EVERY_MS);
  }
  return undefined;
}

/** The number of the other end of a connection on this machine. */
async function inodeOfPeer(socket: Socket): Promise<string | undefined> {
  const { port } = socket.address() as AddressInfo;
  const ends = [socket.remotePort ?? 0, port].map(
    (each) => `0100007F:${each.toString(16).toUpperCase().padStart(4, '0')}`,
  );
  const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n');
  const row = rows.find((text) => text.includes(ends.join(' ')));
  return row?.trim().split(/\s+/u)[9];
}

async function socketsOf(pid: number): Promise<Set<string>> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  const links = await Promise.all(names.map((fd) => readlink(`${folder}/${fd}`).catch(() => '')));
  return new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/u.exec(link)?.[1] ?? []));
}

interface Question {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly token?: string;
  readonly body?: object;
}

/** Calls one of the API processes of a stack, on a connection of its own. */
export async function askProcess(
  stack: RunningStack,
  pid: number,
  { method, path, token, body }: Question,
): Promise<{ readonly status: number | undefined; readonly text: string }> {
  const socket = await connectToProcess(stack, pid);
  const asking = request({
    createConnection: () => socket,
    port: stack.port,
    method,
    path,
    headers: {
      connection: 'close',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
  });
  asking.end(body && JSON.stringify(body));
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, text: await readText(answer) };
}

/** The API processes of a stack once there are so many and all of them serve; none of `gone` is one. */
export async function untilServing(
  stack: RunningStack,
  count: number,
  gone: readonly number[] = [],
): Promise<number[]> {
  const endMs = performance.now() + SERVE_WITHIN_MS;
  while (performance.now() < endMs) {
    const pids = await apiPids(stack);
    if (pids.length === count && !pids.some((pid) => gone.includes(pid))) {
      const question = { method: 'GET', path: '/livez' } as const;
      const answers = await Promise.all(pids.map((pid) => askProcess(stack, pid, question))).catch(
        () => [],
      );
      if (answers.length === count) return pids;
    }
    await delay(LOOK_EVERY_MS);
  }
  throw new Error(`${count} API processes do not serve in time`);
}
