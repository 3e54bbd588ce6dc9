import type { BoardMessage, UserId } from '@mogakgong/contract';
import { ApiError } from '../../platform/http/index.ts';
import { type Gathering, NumberedLog } from '../realtime/index.ts';
import type { BoardContent } from './board.repository.ts';
import type { BoardPosition } from './board-rows.ts';
import type { StoredElement } from './merge-changes.ts';

export type Pointer = Extract<BoardMessage, { kind: 'pointers' }>['pointers'][number];

/** Events that count the number of a board up, as sent between processes. */
export type NumberedBoardEvent = BoardPosition &
  (
    | { readonly kind: 'changes'; readonly elements: readonly StoredElement[] }
    | { readonly kind: 'replaced' }
  );

/** Events of the board of a room. */
export type BoardEvent =
  | (NumberedBoardEvent & { readonly epoch: number })
  | ({ readonly kind: 'pointer' } & Pointer);

interface BoardFeedParts {
  readonly gathering: Gathering;
  /** Sends to all subscribers of this board here. */
  readonly publish: (event: NumberedBoardEvent) => void;
  readonly publishPointers: (pointers: readonly Pointer[]) => void;
  /** Null: the gathering has ended. */
  readonly open: () => Promise<BoardPosition | null>;
  /** The board after a position, or all of it. */
  readonly load: (since: BoardPosition) => Promise<BoardContent | null>;
  readonly onFailure: (error: unknown) => void;
}

/** How long changes may be overtaken by later ones before they are read from the database. */
const OVERTAKEN_MS = 50;
/** Missing changes are delivered one by one up to this number; beyond it everybody reads the board. */
const REPLAY_MAX = 200;
/** The same in bytes: well below the buffer of a slow reader. */
const REPLAY_MAX_BYTES = 128 * 1024;
/** Minimum interval of deliveries of pointers. */
const POINTERS_EVERY_MS = 100;

/** One board's changes, as a numbered log filled from its rows, and the learners' pointers. */
export class BoardFeed {
  readonly #parts: BoardFeedParts;
  readonly #log: NumberedLog<NumberedBoardEvent>;
  readonly #pointers = new Map<UserId, Pointer>();
  #pointersTimer: NodeJS.Timeout | undefined;
  #generation = 0;
  #ready: Promise<void> | undefined;

  constructor(parts: BoardFeedParts) {
    this.#parts = parts;
    this.#log = new NumberedLog({
      deliver: (event) => this.#deliver(event),
      fill: () => this.#fetchMissing(),
      overtakenMs: OVERTAKEN_MS,
      onFailure: parts.onFailure,
    });
  }

  /** The position up to which all changes were delivered here. */
  get position(): BoardPosition {
    return { generation: this.#generation, number: this.#log.number };
  }

  /** Resolves when the position is known. A failure rejects all waiting calls; the next caller retries. */
  ready(): Promise<void> {
    this.#ready ??= this.#load().catch((error: unknown) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  /** Takes events of any process; changes of another gathering are ignored. */
  receive(events: readonly BoardEvent[]): void {
    const numbered: NumberedBoardEvent[] = [];
    for (const event of events) {
      if (event.kind === 'pointer') this.#point(event);
      else if (event.epoch === 0 || event.epoch === this.#parts.gathering.epoch) {
        numbered.push(event);
      }
    }
    this.#log.receive(numbered);
  }

  expectUpTo(number: number): void {
    this.#log.expectUpTo(number);
  }

  close(): void {
    clearTimeout(this.#pointersTimer);
    this.#pointersTimer = undefined;
    this.#log.close();
  }

  async #load(): Promise<void> {
    const board = await this.#parts.open();
    if (!board) throw new ApiError('notInThisRoom');
    this.#generation = board.generation;
    this.#log.moveTo(board.number);
    this.#log.advance();
  }

  #deliver(event: NumberedBoardEvent): void {
    this.#generation = event.generation;
    this.#parts.publish(event);
  }

  /**
   * Reads missing changes. The rows have each element at its last change only: a change that another followed
   * is delivered without it, and in the end everybody has the same.
   */
  async #fetchMissing(): Promise<void> {
    const { position } = this;
    const board = await this.#parts.load(position);
    if (!board || board.number <= this.#log.number) return;
    const { generation, number, elements } = board;
    if (generation !== this.#generation) {
      this.#jumpTo({ kind: 'replaced', generation, number });
    } else if (board.isWhole || isTooMuch(board, position)) {
      // A client that gets a number out of order reads the board.
      this.#jumpTo({ kind: 'changes', generation, number, elements: [] });
    } else {
      const changed = Map.groupBy(elements, (element) => element.number);
      this.#log.receive(
        Array.from({ length: number - position.number }, (_, index) => {
          const at = position.number + index + 1;
          return { kind: 'changes', generation, number: at, elements: changed.get(at) ?? [] };
        }),
      );
    }
  }

  #jumpTo(event: NumberedBoardEvent): void {
    if (!this.#log.moveTo(event.number)) return;
    this.#deliver(event);
    this.#log.advance();
  }

  #point({ userId, at }: Pointer): void {
    this.#pointers.set(userId, { userId, at });
    this.#pointersTimer ??= setTimeout(() => {
      this.#pointersTimer = undefined;
      this.#parts.publishPointers([...this.#pointers.values()]);
      this.#pointers.clear();
    }, POINTERS_EVERY_MS);
  }
}

function isTooMuch({ number, elements }: BoardContent, known: BoardPosition): boolean {
  const bytes = elements.reduce((sum, element) => sum + element.bytes, 0);
  return number - known.number > REPLAY_MAX || bytes > REPLAY_MAX_BYTES;
}
