import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RunningStack } from '../../test/running-stack.ts';

/** The product at a second address, where some paths cannot be had for a while. */
export interface RefusingProxy {
  readonly url: string;
  /**
   * From now on requests of these paths lose their connection, WebSockets too, and new WebSockets are answered
   * with 503; none with an empty list.
   */
  refuse(paths: readonly string[]): void;
  /** How many requests were refused so far. */
  refusals(): number;
  close(): Promise<void>;
}

/** In front of a stack, for browsers whose requests Playwright cannot route. */
export async function startRefusingProxy({ port }: RunningStack): Promise<RefusingProxy> {
  let refused: readonly string[] = [];
  let refusals = 0;
  /** Open WebSockets, with their path. */
  const sockets = new Map<Duplex, string>();
  const server = createServer((incoming, reply) => {
    const { method, url = '/', headers } = incoming;
    if (refused.includes(url)) {
      refusals += 1;
      incoming.socket.destroy();
      return;
    }
    const options = { host: '127.0.0.1', port, method, path: url, headers };
    const forwarded = request(options, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    });
    forwarded.on('error', () => incoming.socket.destroy());
    incoming.pipe(forwarded);
  });
  server.on('upgrade', ({ url = '/', headers }, socket) => {
    // A browser may be gone in the middle of it.
    socket.on('error', () => socket.destroy());
    if (refused.includes(url)) {
      refusals += 1;
      socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n');
      return;
    }
    const forwarded = request({ host: '127.0.0.1', port, path: url, headers });
    forwarded.on('upgrade', (answer, upstream) => {
      sockets.set(socket, url);
      const lines = answer.rawHeaders.map((text, at) => (at % 2 ? `${text}\r\n` : `${text}: `));
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`);
      socket.pipe(upstream).pipe(socket);
      upstream.on('error', () => socket.destroy());
      upstream.on('close', () => socket.destroy());
      socket.on('close', () => {
        upstream.destroy();
        sockets.delete(socket);
      });
    });
    forwarded.on('error', () => socket.destroy());
    forwarded.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    url: `http://localhost:${address.port}`,
    refuse(paths) {
      refused = paths;
      for (const [socket, url] of sockets) if (paths.includes(url)) socket.destroy();
    },
    refusals: () => refusals,
    async close() {
      for (const socket of sockets.keys()) socket.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
