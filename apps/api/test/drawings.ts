import { randomBytes, randomInt } from 'node:crypto';
import { type BoardElement, destinations, getBoard, type RoomId } from '@mogakgong/contract';
import type { IFrame } from '@stomp/stompjs';
import type { Received, TestClient, TestClients } from './stomp-client.ts';
import type { Learner, TestApp } from './test-app.ts';

/** A rectangle as Excalidraw 0.18 sends it. */
export function newRectangle(changed: Readonly<Record<string, unknown>> = {}): BoardElement {
  return {
    id: randomBytes(10).toString('hex'),
    type: 'rectangle',
    x: 10.5,
    y: -20,
    width: 100,
    height: 50,
    angle: 0,
    strokeColor: '#1e1e1e',
    backgroundColor: 'transparent',
    fillStyle: 'solid',
    strokeWidth: 2,
    strokeStyle: 'solid',
    roundness: { type: 3 },
    roughness: 1,
    opacity: 100,
    seed: randomInt(2 ** 31),
    version: 1,
    versionNonce: randomInt(2 ** 31),
    index: 'a0',
    isDeleted: false,
    groupIds: [],
    frameId: null,
    boundElements: null,
    updated: 1_764_000_000_000,
    link: null,
    locked: false,
    ...changed,
  };
}

export const newText = (text: string, changed: Readonly<Record<string, unknown>> = {}) =>
  newRectangle({
    type: 'text',
    fontSize: 20,
    fontFamily: 5,
    text,
    originalText: text,
    textAlign: 'left',
    verticalAlign: 'top',
    containerId: null,
    autoResize: true,
    lineHeight: 1.25,
    ...changed,
  });

/** The next state of an element, as the browser of its editor makes it. */
export const changed = (
  element: BoardElement,
  change: Readonly<Record<string, unknown>>,
): BoardElement => ({
  ...element,
  version: element.version + 1,
  versionNonce: randomInt(2 ** 31),
  ...change,
});

/** Requests the board of a room as a learner. */
export async function readBoard(
  app: TestApp,
  learner: Learner,
  roomId: RoomId,
  query: Readonly<Record<string, string>> = {},
) {
  const answer = await app.inject({
    method: getBoard.method,
    url: getBoard.path.replace(':roomId', String(roomId)),
    query,
    headers: learner.headers,
  });
  return answer.json();
}

/** A learner with the board of their room open. */
export interface Drawer {
  readonly learner: Learner;
  readonly client: TestClient;
  readonly roomId: RoomId;
  /** Messages of the board's topic, `start` first. */
  readonly received: Received[];
  readonly generation: number;
  /** Resolves with the RECEIPT, or undefined if it was refused. */
  draw(...elements: readonly unknown[]): Promise<IFrame | undefined>;
}

export async function openBoard(
  learner: Learner,
  client: TestClient,
  roomId: RoomId,
): Promise<Drawer> {
  const received = await client.subscribe(destinations.board);
  const generation: number = received[0]?.body.generation;
  return {
    ...{ learner, client, roomId, received, generation },
    draw: (...elements) => client.send(destinations.sendBoard, { roomId, generation, elements }),
  };
}

/** A new learner with the board open: of the given room, or of any with a free seat. */
export async function newDrawer(clients: TestClients, app: TestApp, roomId?: RoomId) {
  const learner = await app.newLearner();
  const seatedIn = await app.seat(learner, roomId);
  return openBoard(learner, await clients.connectAs(app, learner), seatedIn);
}
