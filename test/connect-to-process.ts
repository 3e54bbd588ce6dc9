import { once } from 'node:events';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { apiPids, type RunningStack } from './running-stack.ts';

const TRIES = 50;
const TAKEN_WITHIN_MS = 5_000;
const ASK_EVERY_MS = 5;
const SERVE_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 200;

/**
 * A connection to one of the API processes of a stack: the stack gives each new connection to the
 * next of them, so it is tried again until it is the wanted one. Linux only.
 */
export async function connectToProcess(stack: RunningStack, pid: number): Promise<Socket> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const socket = connect({ host: '127.0.0.1', port: stack.port });
    await once(socket, 'connect');
    if ((await ownerOf(socket, stack)) === pid) return socket;
    socket.destroy();
  }
  throw new Error(`process ${pid} takes no connection`);
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
