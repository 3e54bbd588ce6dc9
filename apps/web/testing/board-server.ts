import {
  type BoardElement,
  type BoardMessage,
  type BoardPayload,
  type ErrorName,
  RoomId,
  supersedes,
  type UserId,
} from '@mogakgong/contract';
import { createStore } from 'zustand/vanilla';
import type { Listening } from '../src/shared/realtime/listenings.ts';
import {
  noConnection,
  type RealtimeSnapshot,
  type RealtimeTransport,
  type Receipt,
} from '../src/shared/realtime/realtime-connection.ts';
import { SendError } from '../src/shared/realtime/send-error.ts';

export const BOARD_ROOM = RoomId.parse(7);

type Known = { readonly generation: number; readonly number: number } | null;

/** The rules of the server's board, in memory: a model for tests of its client. */
export class BoardServer {
  generation = 1;
  number = 0;
  readonly rows = new Map<string, BoardElement & { readonly number: number }>();
  readonly links = new Set<BoardLink>();
  /** Stores nothing and reports a failure. */
  isFailing = false;
  /** The highest number of a deleted element that was purged. */
  #purged = 0;

  /** The elements on the board. */
  get elements(): ReadonlyMap<string, BoardElement> {
    const live = [...this.rows].filter(([, { isDeleted }]) => !isDeleted);
    return new Map(live.map(([id, row]) => [id, withoutNumber(row)]));
  }

  /** Handles a SEND; returns the refusal, or null. */
  take(userId: UserId, { generation, elements }: BoardPayload): ErrorName | null {
    if (this.isFailing) return 'unavailable';
    if (generation !== this.generation) return 'boardReplaced';
    if (elements.some((element) => element.isBad === true)) return 'boardElementBad';
    const winners = elements.filter((element) => {
      const row = this.rows.get(element.id);
      return row === undefined || supersedes(element, row);
    });
    if (winners.length === 0) return null;
    this.number += 1;
    const stored = winners.map((element) => {
      const authorId = this.rows.get(element.id)?.customData?.authorId ?? userId;
      const { id, type, version, versionNonce, isDeleted } = element;
      const kept = isDeleted ? { id, type, version, versionNonce, isDeleted } : element;
      return { ...kept, customData: { authorId } };
    });
    for (const element of stored) this.rows.set(element.id, { ...element, number: this.number });
    this.#publish('changes', stored);
    return null;
  }

  /** Empties the board. */
  replace(): void {
    this.generation += 1;
    this.number += 1;
    this.rows.clear();
    this.#publish('replaced', []);
  }

  /** Removes deleted elements. */
  purge(): void {
    for (const [id, { isDeleted, number }] of this.rows) {
      if (!isDeleted) continue;
      this.rows.delete(id);
      this.#purged = Math.max(this.#purged, number);
    }
  }

  read(known: Known) {
    const isWhole = known?.generation !== this.generation || known.number < this.#purged;
    const since = isWhole ? 0 : known.number;
    const elements = [...this.rows.values()].filter(
      ({ number, isDeleted }) => number > since && !(isWhole && isDeleted),
    );
    const { generation, number } = this;
    return { generation, number, isWhole, elements: elements.map(withoutNumber) };
  }

  start(): BoardMessage {
    const { generation, number } = this;
    return { kind: 'start', roomId: BOARD_ROOM, generation, number };
  }

  #publish(kind: 'changes' | 'replaced', elements: BoardElement[]): void {
    const { generation, number } = this;
    const message = { kind, roomId: BOARD_ROOM, generation, number, elements };
    for (const link of this.links) link.deliver(message);
  }
}

function withoutNumber({ number: _, ...element }: BoardElement & { readonly number: number }) {
  return element as BoardElement;
}

/** A message in transit between a client and the server. */
export interface Transit {
  readonly arrive: () => void;
  /** Drops it, and tells its sender so. */
  readonly lose: () => void;
}

/**
 * The connection of one client to the model: everything waits in `transits` until the test delivers it, in
 * any order, twice or never.
 */
export class BoardLink implements RealtimeTransport {
  readonly store = createStore<RealtimeSnapshot>(() => ({ ...noConnection, state: 'connected' }));
  transits: Transit[] = [];
  /** Every SEND, as it was sent. */
  readonly sent: BoardPayload[] = [];
  readonly #server: BoardServer;
  readonly #userId: UserId;
  #listening: Listening | null = null;

  constructor(server: BoardServer, userId: UserId) {
    this.#server = server;
    this.#userId = userId;
    server.links.add(this);
  }

  listen(listening: Listening) {
    this.#listening = listening;
    this.#subscribe();
    return {
      renew: () => this.#subscribe(),
      close: () => {
        if (this.#listening === listening) this.#listening = null;
      },
    };
  }

  send(_destination: string, body: unknown): Promise<Receipt> {
    const { promise, resolve, reject } = Promise.withResolvers<Receipt>();
    if (!this.isConnected) return Promise.reject(new SendError('lost'));
    const payload = structuredClone(body) as BoardPayload;
    this.sent.push(payload);
    const lose = () => reject(new SendError('lost'));
    const arrive = () => {
      const refusal = this.#server.take(this.#userId, payload);
      const { number } = this.#server;
      const answer = () =>
        refusal
          ? reject(SendError.of({ error: refusal }, refusal))
          : resolve({ number: String(number) });
      this.transits.push({ arrive: answer, lose });
    };
    this.transits.push({ arrive, lose });
    return promise;
  }

  /** Reads like the API. */
  readonly fetchBoard = (_roomId: RoomId, known: Known) => {
    const { promise, resolve, reject } = Promise.withResolvers<ReturnType<BoardServer['read']>>();
    const board = structuredClone(this.#server.read(known));
    this.transits.push({
      arrive: () => resolve(board),
      lose: () => reject(new Error('no answer')),
    });
    return promise;
  };

  deliver(message: unknown): void {
    if (!this.isConnected) return;
    const listening = this.#listening;
    const copy = structuredClone(message);
    this.transits.push({
      arrive: () => {
        if (this.#listening === listening && this.isConnected) listening?.onMessage(copy, {});
      },
      lose: () => undefined,
    });
  }

  get isConnected(): boolean {
    return this.store.getState().state === 'connected';
  }

  /** The network is gone, with every message in transit. */
  cut(): void {
    this.store.setState({ state: 'disconnected' });
    for (const { lose } of this.transits.splice(0)) lose();
  }

  connect(): void {
    if (this.isConnected) return;
    this.store.setState({ state: 'connected' });
    this.#subscribe();
  }

  /** Delivers everything in order, including messages caused by it. */
  async flush(): Promise<void> {
    for (let next = this.transits.shift(); next; next = this.transits.shift()) {
      next.arrive();
      await Promise.resolve();
    }
  }

  #subscribe(): void {
    if (this.#listening !== null) this.deliver(this.#server.start());
  }
}
