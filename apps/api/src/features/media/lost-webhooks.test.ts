import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { RoomId } from '@mogakgong/contract';
import { RoomServiceClient } from 'livekit-server-sdk';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLogger } from '../../platform/logger/index.ts';
import { RoomChecks } from './room-checks.ts';

const ROOMS = 1_200;
const STEPS_OF_A_ROUND = 10;

let listener: Server;
let failing = '';
let underWay = 0;
let mostAtOnce = 0;
const asked: string[] = [];

/** A media server with many empty rooms. */
beforeEach(async () => {
  listener = createServer(async (request, response) => {
    const room = JSON.parse(await text(request)).room as string | undefined;
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url?.endsWith('/ListRooms')) {
      const rooms = Array.from({ length: ROOMS }, (_, index) => ({ name: String(index + 1) }));
      answer(200, { rooms });
      return;
    }
    underWay += 1;
    mostAtOnce = Math.max(mostAtOnce, underWay);
    setImmediate(() => {
      underWay -= 1;
      if (room === failing) return void answer(500, { code: 'internal', msg: 'broken' });
      asked.push(String(room));
      answer(200, { participants: [] });
    });
  });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
});
afterEach(async () => {
  listener.closeAllConnections();
  await new Promise((resolve) => listener.close(resolve));
});

it('a round over all rooms takes ten steps, never many at once, and a room that fails stops none', async () => {
  const { port } = listener.address() as AddressInfo;
  const secret = 'a secret of the media server, long enough';
  const client = new RoomServiceClient(`http://127.0.0.1:${port}`, 'key', secret);
  const server = { id: 1, isUp: true, client };
  const checks = new RoomChecks({
    servers: {
      all: [server],
      find: () => server,
      of: async () => server,
      sort: async (_server: object, own: readonly RoomId[]) => ({ own, others: [] }),
    } as never,
    rooms: { createSilenceSweep: () => async () => [] } as never,
    sanctions: {} as never,
    logger: createLogger('silent'),
  });
  failing = '7';
  await expect(checks.reconcile()).rejects.toThrow();
  for (let step = 1; step < STEPS_OF_A_ROUND; step += 1) await checks.reconcile();
  expect(new Set(asked).size).toBe(ROOMS - 1);
  expect(mostAtOnce).toBeLessThanOrEqual(50);
});
