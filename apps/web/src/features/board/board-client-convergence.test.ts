import { UserId } from '@mogakgong/contract';
import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { BoardDrawer, drawingOf, inOrder } from '../../../testing/board-drawer.ts';
import { BOARD_ROOM, BoardLink, BoardServer } from '../../../testing/board-server.ts';

const DRAWERS = 3;

class Drawer extends BoardDrawer {
  readonly link: BoardLink;

  constructor(server: BoardServer, number: number) {
    const userId = UserId.parse(number);
    const link = new BoardLink(server, userId);
    super(userId, {
      roomId: BOARD_ROOM,
      transport: link,
      fetchBoard: link.fetchBoard,
      cut: () => link.cut(),
      connect: () => link.connect(),
    });
    this.link = link;
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
});

const who = fc.nat(DRAWERS - 1);
const id = fc.constantFrom('a', 'b', 'c', 'd');
const weighted = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary });
type Step =
  | { readonly do: 'draw'; readonly who: number; readonly id: string; readonly x: number }
  | { readonly do: 'delete' | 'drawBad'; readonly who: number; readonly id: string }
  | { readonly do: 'edit'; readonly who: number; readonly ids: string[] }
  | { readonly do: 'cut' | 'connect' | 'reload'; readonly who: number }
  | {
      readonly do: 'arrive' | 'arriveTwice' | 'lose';
      readonly who: number;
      readonly which: number;
    }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'replace' | 'purge' };

const step = fc.oneof(
  weighted(8, fc.record({ do: fc.constant('draw'), who, id, x: fc.nat(1_000) })),
  weighted(2, fc.record({ do: fc.constantFrom('delete', 'drawBad'), who, id })),
  weighted(3, fc.record({ do: fc.constant('edit'), who, ids: fc.uniqueArray(id) })),
  weighted(3, fc.record({ do: fc.constantFrom('cut', 'connect', 'connect', 'reload'), who })),
  weighted(
    16,
    fc.record({
      do: fc.constantFrom('arrive', 'arrive', 'arrive', 'arriveTwice', 'lose'),
      who,
      which: fc.nat(5),
    }),
  ),
  weighted(6, fc.record({ do: fc.constant('wait'), ms: fc.nat(300) })),
  weighted(1, fc.record({ do: fc.constantFrom('replace', 'purge') })),
);

/** The edits that must be there in the end: by element, its last one, where one learner alone edited it. */
class Memory {
  readonly #edits = new Map<string, { who: number; x: number | null } | null>();
  /** The board was replaced, or deletions were forgotten an hour after them: edits before that may be gone. */
  hasEnded = false;

  note(element: string, by: number, x: number | null): void {
    const before = this.#edits.get(element);
    const isOthers = before === null || (before !== undefined && before.who !== by);
    if (before !== undefined || by >= 0) this.#edits.set(element, isOthers ? null : { who: by, x });
  }

  get certain(): readonly (readonly [string, number | null])[] {
    if (this.hasEnded) return [];
    return [...this.#edits].flatMap(([element, edit]) =>
      edit ? [[element, edit.x] as const] : [],
    );
  }
}

async function take(step: Step, server: BoardServer, drawers: Drawer[], memory: Memory) {
  if (step.do === 'wait') await vi.advanceTimersByTimeAsync(step.ms);
  // An hour after a deletion nothing of before is under way.
  if (step.do === 'purge') for (const { link } of drawers) await link.flush();
  if (step.do === 'replace' || step.do === 'purge') {
    server[step.do]();
    memory.hasEnded = true;
  }
  const drawer = 'who' in step ? drawers[step.who] : undefined;
  if (!drawer) return;
  const { link } = drawer;
  // Nobody sees the board before it was read.
  const isOpen = drawer.room.store.getState().generation !== null;
  if (step.do === 'draw' && isOpen) {
    // Real ids are used once: nobody draws under the id of an element that was deleted before a reload.
    if (!drawer.surface.has(step.id)) memory.note(step.id, -1, null);
    drawer.edit(step.id, { x: step.x, isDeleted: false });
    memory.note(step.id, step.who, step.x);
  }
  if (step.do === 'delete' && drawer.surface.has(step.id)) {
    drawer.edit(step.id, { isDeleted: true });
    memory.note(step.id, step.who, null);
  }
  if (step.do === 'drawBad' && isOpen) drawer.edit(`bad-${step.id}`, { isBad: true });
  if (step.do === 'edit') drawer.room.editing(step.ids);
  if (step.do === 'cut') link.cut();
  if (step.do === 'connect') link.connect();
  if (step.do === 'reload') drawer.reload();
  if (step.do === 'arrive' || step.do === 'arriveTwice' || step.do === 'lose') {
    const [transit] = link.transits.splice(step.which % (link.transits.length || 1), 1);
    if (step.do === 'lose') transit?.lose();
    else transit?.arrive();
    if (step.do === 'arriveTwice') transit?.arrive();
  }
  // Answers are taken before the next step.
  await vi.advanceTimersByTimeAsync(0);
}

/** Everybody is connected, nobody edits, and everything arrives. */
async function settle(drawers: readonly Drawer[]): Promise<void> {
  for (const { room, link } of drawers) {
    room.editing([]);
    link.cut();
    link.connect();
  }
  for (let round = 0; round < 100; round += 1) {
    for (const { link } of drawers) await link.flush();
    await vi.advanceTimersByTimeAsync(200);
  }
}

test('whatever the network does, everybody and the server end with the same elements', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 120, size: 'max' }), async (steps) => {
      sessionStorage.clear();
      const server = new BoardServer();
      const drawers = Array.from({ length: DRAWERS }, (_, index) => new Drawer(server, index + 1));
      const memory = new Memory();
      for (const each of steps) await take(each as Step, server, drawers, memory);
      await settle(drawers);
      const elements = server.elements;
      for (const { room, shown } of drawers) {
        expect(room.store.getState().elements).toEqual(elements);
        const drawings = [...elements.values()].map(drawingOf);
        expect(inOrder(shown)).toEqual(inOrder(drawings));
        expect(room.store.getState().state).toBe('live');
      }
      for (const [element, x] of memory.certain) expect(elements.get(element)?.x ?? null).toBe(x);
      for (const { room } of drawers) room.close();
    }),
    { numRuns: 300 },
  );
}, 120_000);
