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

/** Whether a request names its host twice: two programs could read it as requests to two sites. */
export function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  const names = rawHeaders.filter((_value, index) => index % 2 === 0);
  return names.filter((name) => name.toLowerCase() === 'host').length > 1;
}
