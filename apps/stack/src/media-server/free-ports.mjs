// JavaScript, because `npm run doctor` looks for free ports too, on a Node that may not run TypeScript.
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/** LiveKit's own defaults (design §3), but for the port behind the guard. */
export const DEFAULT_MEDIA_PORTS = { signalling: 7880, udp: 7882, tcp: 7881, livekitTcp: 7883 };

/**
 * Whether nobody listens on a TCP port.
 * @param {number} port
 * @param {string} [host] of all addresses without it.
 * @returns {Promise<boolean>}
 */
export function tcpIsFree(port, host) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/**
 * Whether nobody uses a UDP port.
 * @param {number} port
 * @returns {Promise<boolean>}
 */
export function udpIsFree(port) {
  return new Promise((resolve) => {
    const probe = createSocket('udp4');
    probe.once('error', () => {
      probe.close();
      resolve(false);
    });
    probe.bind({ port, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
