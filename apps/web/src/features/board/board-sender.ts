import {
  BOARD_ELEMENT_MAX_BYTES,
  BOARD_POINTER_EVERY_MS,
  BOARD_SEND_EVERY_MS,
  type BoardElement,
  type BoardPayload,
  destinations,
  type ErrorName,
} from '@mogakgong/contract';
import type { RealtimeTransport } from '../../shared/realtime/realtime-connection.ts';
import { resendWaitMs, SendError } from '../../shared/realtime/send-error.ts';
import type { BatchSize } from './board-batch.ts';

/** Where somebody's pointer is on the board; null when it has left. */
export type PointerPosition = { readonly x: number; readonly y: number } | null;

/** The board that changes are sent to. */
export type BoardTarget = Pick<BoardPayload, 'roomId' | 'generation'>;

interface SenderParts {
  readonly transport: Pick<RealtimeTransport, 'send'>;
  /** Null while nothing may be sent. */
  readonly target: () => BoardTarget | null;
  /** When changes are due (`performance.now()`), or null. */
  readonly dueAtMs: () => number | null;
  readonly nextBatch: (nowMs: number, most: BatchSize) => readonly BoardElement[];
  /** The board includes these, or later states, from this number on. */
  readonly onConfirmed: (
    elements: readonly BoardElement[],
    number: number,
    target: BoardTarget,
  ) => void;
  /** Nobody knows whether these arrived, or they are to be sent again for another reason. */
  readonly onLost: (elements: readonly BoardElement[]) => void;
  /** The server does not take these; with its words. */
  readonly onRefused: (
    elements: readonly BoardElement[],
    errorName: ErrorName | null,
    message: string,
  ) => void;
  /** The server's board is another than the target. */
  readonly onReplaced: () => void;
  /** Whether the server fails to store what is sent now, which is sent again. */
  readonly onHeldUp: (isHeldUp: boolean) => void;
}

/** Elements of one frame (contract: `BoardPayload`). */
const BATCH_MAX = 100;
/** Sends that wait for their receipts at once: more would only queue on a slow line. */
const UNDER_WAY_MAX = 4;
/** How long nothing is sent after the server found it too fast, or a send was lost. */
const PAUSE_MS = 1_000;
/** Refusals that are about one element of the batch: which one is found by halves. */
const ABOUT_ONE_ELEMENT: readonly (ErrorName | null)[] = [
  'boardElementBad',
  'boardElementTooLarge',
  'boardFull',
];

/** Sends changes and the pointer of one learner, at the pace of the contract. */
export class BoardSender {
  readonly #parts: SenderParts;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #underWay = 0;
  #notBeforeMs = 0;
  #batchMax = BATCH_MAX;
  /** Sends in a row at which the server failed. */
  #failures = 0;
  /** The pointer's place to send; undefined: nothing. */
  #pointer: PointerPosition | undefined;
  #pointerDueAtMs = 0;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  pointerMoved(at: PointerPosition): void {
    this.#pointer = at;
    this.schedule();
  }

  /** To be called when there may be something to send. */
  schedule(): void {
    clearTimeout(this.#timer);
    if (this.#underWay >= UNDER_WAY_MAX || this.#parts.target() === null) return;
    const times = [
      this.#parts.dueAtMs(),
      this.#pointer === undefined ? null : this.#pointerDueAtMs,
    ];
    const dueAtMs = Math.min(...times.map((time) => time ?? Number.POSITIVE_INFINITY));
    if (dueAtMs === Number.POSITIVE_INFINITY) return;
    const waitMs = Math.max(dueAtMs, this.#notBeforeMs) - performance.now();
    this.#timer = setTimeout(() => this.sendNow(), Math.max(0, waitMs));
  }

  /** Sends what is due without a wait. */
  sendNow(): void {
    const target = this.#parts.target();
    if (target === null) return;
    const nowMs = performance.now();
    const elements = this.#parts.nextBatch(nowMs, {
      elements: this.#batchMax,
      bytes: BOARD_ELEMENT_MAX_BYTES,
    });
    const hasPointer = this.#pointer !== undefined && this.#pointerDueAtMs <= nowMs;
    if (elements.length > 0 || hasPointer) {
      const payload = { ...target, elements: [...elements], pointer: this.#pointer };
      if (hasPointer) {
        this.#pointerDueAtMs = nowMs + BOARD_POINTER_EVERY_MS;
        this.#pointer = undefined;
      } else {
        delete payload.pointer;
      }
      this.#notBeforeMs = nowMs + BOARD_SEND_EVERY_MS;
      void this.#send(target, elements, payload);
    }
    this.schedule();
  }

  /** Sends what is due and where the pointer was last, and nothing more. */
  stop(): void {
    this.#pointerDueAtMs = 0;
    this.sendNow();
    clearTimeout(this.#timer);
  }

  async #send(target: BoardTarget, elements: readonly BoardElement[], payload: BoardPayload) {
    this.#underWay += 1;
    try {
      const receipt = await this.#parts.transport.send(destinations.sendBoard, payload, {});
      if (elements.length === 0) return;
      this.#batchMax = Math.min(BATCH_MAX, this.#batchMax * 2);
      this.#failures = 0;
      this.#parts.onHeldUp(false);
      this.#parts.onConfirmed(elements, Number(receipt.number), target);
    } catch (error) {
      if (elements.length > 0) this.#failed(elements, error);
    } finally {
      this.#underWay -= 1;
      this.schedule();
    }
  }

  #failed(elements: readonly BoardElement[], error: unknown): void {
    const { onLost, onRefused, onReplaced, onHeldUp } = this.#parts;
    const reason = error instanceof SendError ? error.reason : 'lost';
    onHeldUp(reason === 'unavailable');
    if (reason === 'unavailable') {
      this.#notBeforeMs = performance.now() + resendWaitMs(this.#failures, error);
      this.#failures += 1;
      onLost(elements);
      return;
    }
    const isRefused = error instanceof SendError && reason === 'refused';
    if (!isRefused || error.errorName === 'boardTooFast') {
      this.#notBeforeMs = performance.now() + PAUSE_MS;
      onLost(elements);
    } else if (error.errorName === 'boardReplaced') {
      onLost(elements);
      onReplaced();
    } else if (elements.length > 1 && ABOUT_ONE_ELEMENT.includes(error.errorName)) {
      this.#batchMax = Math.ceil(elements.length / 2);
      onLost(elements);
    } else {
      this.#batchMax = Math.min(BATCH_MAX, this.#batchMax * 2);
      onRefused(elements, error.errorName, error.message);
    }
  }
}
