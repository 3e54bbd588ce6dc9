import '../../../../testing/canvas.ts';
import type { ExcalidrawImperativeAPI } from '@excalidraw/excalidraw/types';
import type { BoardElement } from '@mogakgong/contract';
import { beforeEach, expect, it, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { BoardRoom } from '../board-room.ts';
import { Scene } from './scene.ts';

beforeEach(() => void vi.useFakeTimers());

const rectangle = (id: string, version = 1) =>
  ({
    ...{ id, type: 'rectangle', version, versionNonce: 1, isDeleted: false, index: id },
    ...{ x: 0, y: 0, width: 10, height: 10, strokeStyle: 'solid', strokeWidth: 1 },
  }) as BoardElement;

/** A scene with slow drawings, and the ids of each drawing. */
function openScene(drawingMs: number) {
  let present: readonly Partial<BoardElement>[] = [];
  const drawings: unknown[][] = [];
  const reported: string[] = [];
  const api = {
    getSceneElements: () => present,
    getSceneElementsIncludingDeleted: () => present,
    getAppState: () => ({
      ...{ zoom: { value: 1 }, scrollX: 0, scrollY: 0, width: 800, height: 600 },
      selectedElementIds: {},
    }),
    updateScene: ({ elements }: { elements?: typeof present }) => {
      if (!elements) return;
      if (elements.some(({ id }) => id === 'bad')) throw new Error('invalid order key');
      present = elements;
      // As Excalidraw does with elements that share a place in the order.
      for (const [index, element] of elements.entries()) {
        if (element.index !== elements[index - 1]?.index) continue;
        Object.assign(element, { index: `${element.index}V`, version: 2, versionNonce: 7 });
      }
      drawings.push(elements.map(({ id }) => id));
      vi.advanceTimersByTime(drawingMs);
    },
    scrollToContent: () => undefined,
  } as unknown as ExcalidrawImperativeAPI;
  const store = createStore(() => ({ elements: new Map(), pointers: new Map(), state: 'live' }));
  let tell: (changed: readonly BoardElement[]) => void = () => undefined;
  const board = {
    store,
    onRemote(listener: typeof tell) {
      tell = listener;
      return () => undefined;
    },
    pointerMoved: () => undefined,
    changed: (elements: readonly BoardElement[]) => reported.push(...elements.map(({ id }) => id)),
  } as unknown as BoardRoom;
  const scene = new Scene(api, board, () => ({ names: new Map(), blockedIds: new Set() }));
  drawings.length = 0;
  const change = (...elements: readonly BoardElement[]) => {
    const changed = elements.map((element) => [element.id, element] as const);
    store.setState({ elements: new Map([...store.getState().elements, ...changed]) });
    tell(elements);
  };
  const report = () => scene.changed(present as never, api.getAppState());
  return { change, drawings, scene, present: () => present, report, reported };
}

it('draws what others change at once while that is fast', async () => {
  const { change, drawings } = openScene(5);
  change(rectangle('a'));
  await vi.advanceTimersByTimeAsync(40);
  change(rectangle('b'));
  expect(drawings).toEqual([['a'], ['a', 'b']]);
});

it('rests three times as long as a slow drawing took, and draws together what comes meanwhile', async () => {
  const { change, drawings, scene } = openScene(200);
  change(rectangle('a'));
  await vi.advanceTimersByTimeAsync(100);
  for (const id of ['b', 'c']) change(rectangle(id));
  await vi.advanceTimersByTimeAsync(450);
  expect(drawings).toEqual([['a']]);
  await vi.advanceTimersByTimeAsync(250);
  expect(drawings).toEqual([['a'], ['a', 'b', 'c']]);
  change(rectangle('d'));
  scene.close();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(drawings).toHaveLength(2);
});

it('leaves out an element that Excalidraw cannot read', () => {
  const { change, drawings } = openScene(5);
  change({ ...rectangle('a'), type: 'freedraw' }, rectangle('b'));
  expect(drawings).toEqual([['b']]);
});

it('goes on drawing after a drawing that failed', async () => {
  const { change, drawings } = openScene(5);
  expect(() => change(rectangle('bad'))).toThrow('order key');
  await vi.advanceTimersByTimeAsync(40);
  change(rectangle('b'));
  expect(drawings).toEqual([['b']]);
});

it('takes it for no edit that Excalidraw moves an element which shares its place', () => {
  const { change, present, report, reported } = openScene(5);
  const shared = { index: 'a1' };
  change({ ...rectangle('a'), ...shared }, { ...rectangle('b'), ...shared });
  expect(present()).toMatchObject([{ index: 'a1' }, { index: 'a1V', version: 2 }]);
  report();
  expect(reported).not.toContain('b');
  Object.assign(present()[1] ?? {}, { width: 20, version: 3 });
  report();
  expect(reported).toContain('b');
});

it('orders elements by the places that were sent, also those without one', async () => {
  const { change, drawings, present } = openScene(5);
  change({ ...rectangle('b'), index: null });
  await vi.advanceTimersByTimeAsync(40);
  Object.assign(present()[0] ?? {}, { index: 'a2', version: 2 });
  change({ ...rectangle('a'), index: 'a1' });
  expect(drawings.at(-1)).toEqual(['b', 'a']);
});

it('draws strokes of others as part of no frame, and shapes as part of theirs', () => {
  const { change, present } = openScene(5);
  const stroke = Array.from({ length: 11 }, (_, index) => [index, 0]);
  change({ ...rectangle('a'), frameId: 'f', points: stroke } as BoardElement);
  expect(present()).toMatchObject([{ frameId: null }]);
  const other = openScene(5);
  other.change({ ...rectangle('a'), frameId: 'f' } as BoardElement);
  expect(other.present()).toMatchObject([{ frameId: 'f' }]);
});
