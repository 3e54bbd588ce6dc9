import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RunningStack } from '../../test/running-stack.ts';

/** The product at a second address, where some files cannot be had for a while. */
export interface RefusingProxy {
  readonly url: string;
  /** From now on the requests of these paths lose their connection; none with an empty list. */
  refuse(paths: readonly string[]): void;
  close(): Promise<void>;
}

/** In front of a stack, for browsers whose requests Playwright cannot route. */
export async function startRefusingProxy({ port }: RunningStack): Promise<RefusingProxy> {
  let refused: readonly string[] = [];
  const sockets = new Set<Duplex>();
  const server = createServer((incoming, reply) => {
    const { method, url = '/', headers } = incoming;
    if (refused.includes(url)) return void incoming.socket.destroy();
    const options = { host: '127.0.0.1', port, method, path: url, headers };
    const forwarded = request(options, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    });
    forwarded.on('error', () => incoming.socket.destroy());
    incoming.pipe(forwarded);
  });
  server.on('upgrade', ({ url, headers }, socket) => {
    const forwarded = request({ host: '127.0.0.1', port, path: url, headers });
    forwarded.on('upgrade', (answer, upstream) => {
      sockets.add(upstream);
      const lines = answer.rawHeaders.map((text, at) => (at % 2 ? `${text}\r\n` : `${text}: `));
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`);
      socket.pipe(upstream).pipe(socket);
      socket.on('error', () => upstream.destroy());
      upstream.on('error', () => socket.destroy());
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
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
