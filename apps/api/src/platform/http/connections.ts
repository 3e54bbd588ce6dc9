import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { clientNetwork } from './address-block.ts';

/** Closes at once what one client opens beyond so many connections. */
export function limitConnections(server: Server, perAddress: number): void {
  const counts = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const network = clientNetwork(socket.remoteAddress);
    const open = counts.get(network) ?? 0;
    if (open >= perAddress) {
      socket.destroy();
      return;
    }
    counts.set(network, open + 1);
    socket.once('close', () => {
      const left = (counts.get(network) ?? 0) - 1;
      if (left > 0) counts.set(network, left);
      else counts.delete(network);
    });
  });
}

/**
 * Whether a request names one host, or none before HTTP/1.1 (RFC 9112, 3.2): two programs could read
 * one with two hosts as requests to two sites.
 */
export function isHostClear({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const names = rawHeaders.filter((_value, index) => index % 2 === 0);
  const count = names.filter((name) => name.toLowerCase() === 'host').length;
  return count === 1 || (count === 0 && httpVersion === '1.0');
}
