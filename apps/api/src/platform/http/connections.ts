import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from '../logger/index.ts';
import { limitRequests } from './pipelined-requests.ts';
import { type NetworkSocket, SocketsByNetwork } from './sockets-by-network.ts';

/** Open files that the process needs beside connections: its program, database, Redis and log. */
const OWN_FILES = 100;
/** Used if the system does not report how many files a process may open. */
const USUAL_OPEN_FILES = 1_024;
const LOG_EVERY_MS = 60_000;

/**
 * Maximum number of client connections of a process: each may need one more file, such as the one that it is
 * sent or a connection to the media server.
 */
export function mostConnections(): number {
  const report = process.report as typeof process.report & { excludeNetwork: boolean };
  // Otherwise it resolves the names of all addresses.
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as {
    userLimits?: { open_files?: { soft?: number | string } };
  };
  const openFiles = Number(userLimits?.open_files?.soft ?? USUAL_OPEN_FILES);
  // `unlimited` is no number.
  if (Number.isNaN(openFiles)) return Number.POSITIVE_INFINITY;
  return Math.max(1, Math.floor((openFiles - OWN_FILES) / 2));
}

interface ConnectionLimits {
  /** By the width of the network; undefined behind a proxy, which owns all connections. */
  readonly perNetwork: readonly number[] | undefined;
  readonly total: number;
  /** A connection ends when its client has read nothing of an answer for this long. */
  readonly unreadMs: number;
  readonly logger: Logger;
}

/** The connections of clients. */
export interface Connections {
  /** Marks a learner's connection: it is not closed for a newcomer, and counts in total only. */
  trust(socket: Duplex): void;
  /** For operators: open, maximum, closed to make room, and refused. */
  figures(): { open: number; most: number; closed: number; refused: number };
}

/**
 * Bounds the connections of each network and in total, and the requests of each. A newcomer replaces the
 * oldest idle connection of its network, or else the one that waits longest for the end of an answer; in total
 * one of the largest network. Without such a connection the newcomer is closed at once.
 */
export function limitConnections(server: Server, limits: ConnectionLimits): Connections {
  const { perNetwork = [], total, unreadMs, logger } = limits;
  const [idle, busy] = [new SocketsByNetwork(), new SocketsByNetwork()];
  const known = new WeakMap<Duplex, NetworkSocket>();
  const figures = { open: 0, most: total, closed: 0, refused: 0 };
  let loggedAtMs = Number.NEGATIVE_INFINITY;

  /** Whether there is room for one more. */
  function makeRoom(newcomer: NetworkSocket): boolean {
    for (const [width, most] of perNetwork.entries()) {
      if (idle.count(newcomer, width) + busy.count(newcomer, width) < most) continue;
      const isClosed =
        idle.closeOldestBeside(newcomer, width) || busy.closeOldestBeside(newcomer, width);
      if (!isClosed) return false;
      figures.closed += 1;
    }
    if (figures.open < total) return true;
    const isClosed = idle.closeOldestOfLargest() || busy.closeOldestOfLargest();
    if (isClosed) figures.closed += 1;
    return isClosed;
  }

  function logPressure(): void {
    const nowMs = performance.now();
    if (nowMs - loggedAtMs < LOG_EVERY_MS) return;
    loggedAtMs = nowMs;
    logger.warn({ ...figures }, 'connections are closed to make room, or refused');
  }

  server.on('connection', (socket: Socket) => {
    const newcomer = SocketsByNetwork.socketOf(socket.remoteAddress, () => socket.destroy());
    const before = figures.closed;
    const hasRoom = makeRoom(newcomer);
    if (!hasRoom) figures.refused += 1;
    if (!hasRoom || figures.closed > before) logPressure();
    if (!hasRoom) {
      socket.destroy();
      return;
    }
    figures.open += 1;
    known.set(socket, newcomer);
    idle.add(newcomer);
    socket.once('close', () => {
      figures.open -= 1;
      if (!idle.delete(newcomer)) busy.delete(newcomer);
    });
  });

  function move(socket: Duplex, from: SocketsByNetwork, to: SocketsByNetwork): void {
    const connection = known.get(socket);
    if (connection && from.delete(connection)) to.add(connection);
  }
  limitRequests(server, {
    unreadMs,
    onBusy: (socket) => move(socket, idle, busy),
    onIdle: (socket) => move(socket, busy, idle),
  });
  server.on('upgrade', (_request, socket) => move(socket, idle, busy));

  return {
    trust(socket) {
      const connection = known.get(socket);
      if (connection && !busy.delete(connection)) idle.delete(connection);
    },
    figures: () => ({ ...figures }),
  };
}

/**
 * Whether a request names exactly one host, or none before HTTP/1.1 (RFC 9112, 3.2): with two hosts, two
 * programs could read it as requests to two sites.
 */
export function isHostClear({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const names = rawHeaders.filter((_value, index) => index % 2 === 0);
  const count = names.filter((name) => name.toLowerCase() === 'host').length;
  return count === 1 || (count === 0 && httpVersion === '1.0');
}
