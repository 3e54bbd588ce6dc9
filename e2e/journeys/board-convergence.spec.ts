import { setTimeout as delay } from 'node:timers/promises';
import { getBoard, RoomId, UserId } from '@mogakgong/contract';
import fc from 'fast-check';
import { BoardDrawer, drawingOf, inOrder } from '../../apps/web/testing/board-drawer.ts';
import { SocketTransport } from '../../apps/web/testing/socket-transport.ts';
import { apiPids, type RunningStack } from '../../test/running-stack.ts';
import {
  type Account,
  callAs,
  createAccount,
  enterByApi,
  expect,
  stackUrl,
  test,
} from '../support/journey.ts';

const DRAWERS = 3;
const RUNS = 4;
/** In the middle of this run the API is killed. */
const RUN_WITH_KILL = 2;
const SETTLE_DEADLINE_MS = 20_000;

/** What the browser's part of the board asks of a page. */
function standInForThePage(): void {
  const values = new Map<string, string>();
  const sessionStorage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => values.set(key, value),
    removeItem: (key: string) => values.delete(key),
  };
  Object.defineProperty(globalThis, 'window', { value: new EventTarget(), configurable: true });
  Object.defineProperty(globalThis, 'sessionStorage', {
    value: sessionStorage,
    configurable: true,
  });
}

const readBoard = (reader: Account, roomId: RoomId, query = {}) =>
  callAs(reader, getBoard, { params: { roomId }, query });

class Drawer extends BoardDrawer {
  readonly connection: SocketTransport;

  constructor(account: Account, roomId: RoomId) {
    const connection = new SocketTransport(stackUrl(), account.token);
    super(UserId.parse(account.userId), {
      roomId,
      transport: connection,
      fetchBoard: (_roomId, known) =>
        readBoard(
          account,
          roomId,
          known ? { generation: known.generation, since: known.number } : {},
        ),
      cut: () => connection.cut(),
      connect: () => connection.connect(),
    });
    this.connection = connection;
    connection.connect();
  }

  get isReady(): boolean {
    return this.room.store.getState().state === 'live';
  }
}

const who = fc.nat(DRAWERS - 1);
const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const step = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ do: fc.constant('draw' as const), who, name, x: fc.nat(1_000) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), who, name }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('edit' as const), who, names: fc.uniqueArray(name) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('cut' as const, 'connect' as const, 'reload' as const),
      who,
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(80) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

test('whatever is drawn through cuts, reloads and kill -9 of the API, all have what is stored', async ({
  stack,
}) => {
  standInForThePage();
  const accounts = await Promise.all(Array.from({ length: DRAWERS }, () => createAccount()));
  const rooms: number[] = [];
  for (const account of accounts) rooms.push(await enterByApi(account));
  const roomId = RoomId.parse(rooms[0]);
  expect(rooms).toEqual(accounts.map(() => roomId));
  const drawers = accounts.map((account) => new Drawer(account, roomId));
  const untilReady = () =>
    expect
      .poll(() => drawers.every(({ isReady }) => isReady), { timeout: SETTLE_DEADLINE_MS })
      .toBe(true);
  await untilReady();

  const take = async (taken: Step, run: number) => {
    if (taken.do === 'wait') await delay(taken.ms);
    const drawer = 'who' in taken ? drawers[taken.who] : undefined;
    if (!drawer) return;
    const idOf = (each: string) => `${run}-${each}`;
    const isOpen = drawer.room.store.getState().generation !== null;
    if (taken.do === 'draw' && isOpen)
      drawer.edit(idOf(taken.name), { x: taken.x, isDeleted: false });
    if (taken.do === 'delete' && drawer.surface.has(idOf(taken.name))) {
      drawer.edit(idOf(taken.name), { isDeleted: true });
    }
    if (taken.do === 'edit') drawer.room.editing(taken.names.map(idOf));
    if (taken.do === 'cut') drawer.connection.cut();
    if (taken.do === 'connect') drawer.connection.connect();
    if (taken.do === 'reload') drawer.reload();
  };

  const settle = async () => {
    for (const { room, connection } of drawers) {
      room.editing([]);
      connection.connect();
    }
    await untilReady();
    await expect
      .poll(
        async () => {
          const [account] = accounts;
          const stored = account && (await readBoard(account, roomId).catch(() => null))?.elements;
          return drawers.map(({ room, shown }) => {
            const elements = [...room.store.getState().elements.values()];
            const isEqual = sameDrawings(inOrder(elements), inOrder(stored ?? []));
            const drawings = inOrder(elements.map(drawingOf));
            return isEqual && sameDrawings(drawings, inOrder(shown));
          });
        },
        { timeout: SETTLE_DEADLINE_MS },
      )
      .toEqual(drawers.map(() => true));
  };

  let run = 0;
  let drawn = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 80 }), async (steps) => {
      run += 1;
      for (const [index, each] of steps.entries()) {
        const isHalfway = index === Math.floor(steps.length / 2);
        if (run === RUN_WITH_KILL && isHalfway) await killApi(stack);
        await take(each, run);
      }
      await settle();
      drawn = drawers[0]?.shown.length ?? 0;
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  for (const { room, connection } of drawers) {
    room.close();
    connection.cut();
  }
  expect(drawn).toBeGreaterThan(RUNS);
  console.log(`${drawn} elements are equal for ${DRAWERS} learners after ${run} runs`);
});

async function killApi(stack: RunningStack): Promise<void> {
  for (const pid of await apiPids(stack)) process.kill(pid, 'SIGKILL');
}

/** Whether drawings are equal, whatever the order of their fields: it is that of the browser that drew them. */
function sameDrawings(some: readonly object[], others: readonly object[]): boolean {
  const keyed = (drawing: object) => JSON.stringify(Object.entries(drawing).sort());
  return JSON.stringify(some.map(keyed)) === JSON.stringify(others.map(keyed));
}
