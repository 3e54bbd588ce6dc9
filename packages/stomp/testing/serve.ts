import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import {
  createStompServer,
  type StompHooks,
  type StompServer,
  type StompServerOptions,
  type StompSession,
} from '../src/index.ts';

export interface Served {
  readonly url: string;
  readonly http: Server;
  readonly stomp: StompServer<string>;
  /** The sessions from accepted CONNECT until their end, oldest first. */
  sessions(): StompSession<string>[];
  /** How many connections the process holds. */
  connections(): Promise<number>;
}

type Options = Partial<Omit<StompServerOptions<string, string>, 'hooks'>> & {
  readonly hooks?: Partial<StompHooks<string, string>>;
};

/** A STOMP server on a free port that ends with the test. Every login is accepted and names the principal. */
export async function serve(options: Options = {}): Promise<Served> {
  const opened: StompSession<string>[] = [];
  const stomp = createStompServer<string, string>({
    closeTimeoutMs: 500,
    drainTimeoutMs: 500,
    ...options,
    hooks: {
      onConnect: (frame) => ({ principal: frame.headers.get('login') ?? 'guest' }),
      onFailure: (error) => {
        throw error;
      },
      ...options.hooks,
      onOpen: (session) => {
        opened.push(session);
        options.hooks?.onOpen?.(session);
      },
    },
  });
  const http = createServer();
  http.on('upgrade', (request, socket, head) =>
    stomp.handleUpgrade(request, socket, head, request.url ?? ''),
  );
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(async () => {
    await stomp.close();
    http.closeAllConnections();
    http.close();
  });
  const { port } = http.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}/stomp`,
    http,
    stomp,
    sessions: () => opened.filter((session) => session.isOpen),
    connections: promisify(http.getConnections.bind(http)),
  };
}
