import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import {
  createStompServer,
  type StompHooks,
  type StompServer,
  type StompServerOptions,
} from '../src/index.ts';

export interface Served {
  readonly url: string;
  readonly http: Server;
  readonly stomp: StompServer<string, string>;
}

type Options = Partial<Omit<StompServerOptions<string, string>, 'hooks'>> & {
  readonly hooks?: Partial<StompHooks<string, string>>;
};

/** A STOMP server on a free port that ends with the test. Every login is accepted and names the principal. */
export async function serve(options: Options = {}): Promise<Served> {
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
  return { url: `ws://127.0.0.1:${port}/stomp`, http, stomp };
}
