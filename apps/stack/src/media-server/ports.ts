import { readFile } from 'node:fs/promises';
import { tcpIsFree, udpIsFree } from './free-ports.mjs';

/** The ports of one media server. */
export interface MediaPorts {
  /** HTTP and WebSocket signalling, on 127.0.0.1 only. */
  readonly signalling: number;
  /** Media over UDP. */
  readonly udp: number;
  /** Media over TCP, for networks that block UDP: our guard, which passes it on to LiveKit. */
  readonly tcp: number;
  /** LiveKit's own TCP port. It listens on every address, but nobody else needs it. */
  readonly livekitTcp: number;
}

const LAST_PORT = 65_535;

/**
 * The preferred ports if free, otherwise the next free ones; no port is used twice.
 * @param tcp the port of the guard, which listens already.
 */
export async function chooseFreePorts(wished: MediaPorts, tcp: number): Promise<MediaPorts> {
  // The TCP ports are kept apart, so that no search takes the port of another.
  const livekitTcp = await nextFree(
    wished.livekitTcp,
    (port) => port !== wished.signalling && port !== tcp && tcpIsFree(port),
  );
  const signalling = await nextFree(
    wished.signalling,
    (port) => port !== livekitTcp && port !== tcp && tcpIsFree(port, '127.0.0.1'),
  );
  const udp = await nextFree(wished.udp, udpIsFree);
  return { signalling, udp, tcp, livekitTcp };
}

/** The ports of an earlier start; undefined without one, or if that release had no guard. */
export async function readPorts(path: string): Promise<MediaPorts | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}

async function nextFree(
  first: number,
  isFree: (port: number) => boolean | Promise<boolean>,
): Promise<number> {
  for (let port = first; port <= LAST_PORT; port += 1) {
    if (await isFree(port)) {
      return port;
    }
  }
  throw new Error(`no free port from ${first} on`);
}
