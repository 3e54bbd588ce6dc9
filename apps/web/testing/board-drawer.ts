import type { BoardElement, UserId } from '@mogakgong/contract';
import { BoardRoom, type BoardRoomOptions } from '../src/features/board/board-room.ts';

/** The drawer's connection to the server. */
export interface BoardConnection
  extends Pick<BoardRoomOptions, 'roomId' | 'transport' | 'fetchBoard'> {
  readonly cut: () => void;
  readonly connect: () => void;
}

/** The element properties that do not matter here, as Excalidraw 0.18 has them. */
const RECTANGLE = {
  ...{ type: 'rectangle', x: 0, y: 0, width: 100, height: 50, angle: 0, seed: 1 },
  ...{ strokeColor: '#1e1e1e', backgroundColor: 'transparent', fillStyle: 'solid' },
  ...{ strokeWidth: 2, strokeStyle: 'solid', roundness: null, roughness: 1, opacity: 100 },
  ...{ index: 'a0', groupIds: [], frameId: null, boundElements: null, link: null, locked: false },
};

/** A learner with a minimal drawing surface: it shows, edits by versions, and reports. */
export class BoardDrawer {
  readonly surface = new Map<string, BoardElement>();
  readonly #userId: UserId;
  readonly #connection: BoardConnection;
  #room: BoardRoom;
  #edits = 0;

  constructor(userId: UserId, connection: BoardConnection) {
    this.#userId = userId;
    this.#connection = connection;
    this.#room = this.#open();
  }

  get room(): BoardRoom {
    return this.#room;
  }

  /** Changes an element in place as Excalidraw does, or draws it. */
  edit(id: string, change: object): void {
    const before = this.surface.get(id) ?? { id, ...RECTANGLE, version: 0 };
    // Unique per drawer, so as good as random.
    this.#edits += 1;
    const versionNonce = ((this.#edits * 7_919) % 1_009) * 1_000 + (this.#userId % 1_000);
    const version = before.version + 1;
    const element = Object.assign(before, { isDeleted: false, ...change, version, versionNonce });
    this.surface.set(id, element);
    this.#room.changed([...this.surface.values()]);
  }

  /** The page ends without a connection, and is reloaded. */
  reload(): void {
    this.#room.close();
    this.#connection.cut();
    this.#room = this.#open();
    this.#connection.connect();
  }

  /** The elements on the surface by id, without authors: the surface learns only those of others. */
  get shown(): readonly object[] {
    return [...this.surface.values()].filter(({ isDeleted }) => !isDeleted).map(drawingOf);
  }

  #open(): BoardRoom {
    const { roomId, transport, fetchBoard } = this.#connection;
    const userId = this.#userId;
    const room = new BoardRoom({ roomId, userId, transport, ...(fetchBoard && { fetchBoard }) });
    this.surface.clear();
    room.onRemote((elements) => {
      for (const element of elements) this.surface.set(element.id, { ...element });
    });
    return room;
  }
}

/** An element without its author. */
export function drawingOf({ customData: _, ...drawing }: BoardElement): object {
  return drawing;
}

/** Sorted, so that two lists can be compared in any order. */
export function inOrder(drawings: Iterable<object>): readonly object[] {
  const idOf = (drawing: object) => ('id' in drawing ? String(drawing.id) : '');
  return [...drawings].sort((one, other) => (idOf(one) < idOf(other) ? -1 : 1));
}
