import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/** The ports of one media server. */
export interface MediaPorts {
  /** HTTP and WebSocket signalling, on 127.0.0.1 only. */
  readonly signalling: number;
  /** Media over UDP. */
  readonly udp: number;
  /** Media over TCP, for networks that block UDP. */
  readonly tcp: number;
}

/** LiveKit's own defaults (design §3). */
export const DEFAULT_MEDIA_PORTS: MediaPorts = { signalling: 7880, udp: 7882, tcp: 7881 };

const LAST_PORT = 65_535;

/** The preferred ports if free, otherwise the next free ones; no port is used twice. */
export async function chooseFreePorts(wished: MediaPorts): Promise<MediaPorts> {
  // The two TCP ports are kept apart, so that neither search takes the other's port.
  const tcp = await nextFree(wished.tcp, (port) => port !== wished.signalling && tcpIsFree(port));
  const signalling = await nextFree(
    wished.signalling,
    (port) => port !== tcp && tcpIsFree(port, '127.0.0.1'),
  );
  const udp = await nextFree(wished.udp, udpIsFree);
  return { signalling, udp, tcp };
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

function tcpIsFree(port: number, host?: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

function udpIsFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createSocket('udp4');
    probe.once('error', () => {
      probe.close();
      resolve(false);
    });
    probe.bind({ port, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
