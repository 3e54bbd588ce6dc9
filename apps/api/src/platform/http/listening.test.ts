import dns from 'node:dns';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { createTestApp } from '../../../test/test-app.ts';

afterEach(() => vi.restoreAllMocks());

it('counts every connection where localhost has two addresses', async () => {
  // As on a machine where it is 127.0.0.1 and ::1; on Linux, all of 127/8 is loopback.
  const addresses = ['127.0.0.1', '127.0.0.2'];
  const answer = (host: string, _options: object, done: (...found: unknown[]) => void) =>
    done(
      null,
      (host === 'localhost' ? addresses : [host]).map((address) => ({ address, family: 4 })),
    );
  vi.spyOn(dns, 'lookup').mockImplementation(answer as never);
  const { http, close } = await createTestApp();
  await http.listen({ host: 'localhost', port: 0 });
  try {
    const { port } = http.fastify.server.address() as AddressInfo;
    let accepted = 0;
    for (const host of addresses) {
      const socket = connect({ port, host });
      const isAccepted = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      if (isAccepted) accepted += 1;
    }
    expect(accepted).toBeGreaterThan(0);
    await vi.waitFor(() => expect(http.connections.figures().open).toBe(accepted));
  } finally {
    await close();
  }
});
