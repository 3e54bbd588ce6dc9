import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { answerRequests } from '../support/generator.ts';
import { upgradeRequest } from './upgrade-request.ts';

/** Sockets of strangers, who never log in. */
export interface FloodRequest {
  readonly port: number;
  /** Each opens `socketsPerAddress`, again when one is closed. */
  readonly addresses: readonly string[];
  readonly isForwarded: boolean;
  readonly socketsPerAddress: number;
  readonly upgradesPerSecond: number;
  readonly seconds: number;
}

export interface FloodResult {
  /** Upgrades by what the server answered: a status, or `none`. */
  readonly answers: Readonly<Record<string, number>>;
  readonly mostOpen: number;
}

const STEP_MS = 10;

async function flood(request: FloodRequest): Promise<FloodResult> {
  const { port, addresses, isForwarded, upgradesPerSecond, seconds } = request;
  const answers: Record<string, number> = {};
  const free = addresses.flatMap((address) =>
    Array.from({ length: request.socketsPerAddress }, () => address),
  );
  const slots = free.length;
  const open = new Set<ReturnType<typeof connect>>();
  let mostOpen = 0;
  let isOver = false;
  const upgrade = (address: string) => {
    const socket = connect({
      host: '127.0.0.1',
      port,
      ...(!isForwarded && { localAddress: address }),
    });
    let status = 'none';
    open.add(socket);
    socket.on('connect', () =>
      socket.write(upgradeRequest({ forwardedFor: isForwarded ? address : undefined })),
    );
    socket.on('error', () => undefined);
    socket.once('data', (bytes) => {
      status = bytes.toString('latin1', 9, 12);
    });
    socket.on('close', () => {
      open.delete(socket);
      if (isOver) return;
      answers[status] = (answers[status] ?? 0) + 1;
      free.push(address);
    });
  };
  const startMs = performance.now();
  for (let opened = 0; ; await delay(STEP_MS)) {
    const elapsedMs = performance.now() - startMs;
    if (elapsedMs > seconds * 1_000) break;
    for (; opened < (elapsedMs / 1_000) * upgradesPerSecond; opened += 1) {
      const address = free.shift();
      if (address !== undefined) upgrade(address);
    }
    mostOpen = Math.max(mostOpen, slots - free.length);
  }
  isOver = true;
  for (const socket of open) socket.destroy();
  return { answers, mostOpen };
}

answerRequests<FloodRequest>(flood);
