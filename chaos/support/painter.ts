import { setTimeout as delay } from 'node:timers/promises';
import {
  BOARD_ELEMENT_MAX_BYTES,
  BOARD_SEND_EVERY_MS,
  type BoardElement,
  type BoardMessage,
  type ElementRevision,
  type getBoard,
  REQUEST_TIMEOUT_MS,
  type RoomId,
  type RouteReply,
  supersedes,
  type UserId,
} from '@mogakgong/contract';
import { BoardElements } from '../../apps/web/src/features/board/board-elements.ts';
import { Drawer } from '../../bench/support/drawing.ts';
import type { Random } from '../../bench/support/random.ts';
import { SERVER_FAILED } from './chatter.ts';
import { StompConnection, type StompFrame } from './stomp-connection.ts';

interface PainterOptions {
  readonly userId: UserId;
  readonly roomId: RoomId;
  readonly makeToken: () => Promise<string>;
  readonly port: number;
  readonly random: Random;
  /** How long a receipt is waited for; as long as in the browser unless given. */
  readonly receiptWithinMs?: number;
}

type Changes = Extract<BoardMessage, { kind: 'changes' }>;
type Board = RouteReply<typeof getBoard>;

const UNDER_WAY_MAX = 4;
const BATCH_MAX = { elements: 100, bytes: BOARD_ELEMENT_MAX_BYTES } as const;
const RECONNECT_MS = { from: 100, to: 600 };
const RETRY_REFUSED_MS = 200;
const READ_TIMEOUT_MS = 5_000;
/** What of all that somebody does is to move or delete what is there, whoever made it. */
const SHARE_OF_EDITS = 0.4;

/**
 * A learner who draws, moves and deletes on a board, with the elements of the browser: own changes are sent
 * until they are acknowledged, and what was missed is read.
 */
export class Painter {
  readonly options: PainterOptions;
  readonly elements = new BoardElements();
  /** The last state of each element whose RECEIPT came. */
  readonly acknowledged = new Map<string, ElementRevision>();
  acknowledgements = 0;
  refusals = 0;
  connects = 0;
  reads = 0;
  /** Connections that the server ended for a failure of its own. */
  readonly failures: string[] = [];
  readonly #drawer: Drawer;
  #connection: StompConnection | undefined;
  #token = '';
  /** Up to where the board is known; null before it was read. */
  #position: { readonly generation: number; readonly number: number } | null = null;
  #early: Changes[] = [];
  #isReady = false;
  #isReading = false;
  #isDrawing = true;
  #isStopped = false;
  #sends = 0;
  #notBeforeMs = 0;
  readonly #underWay = new Map<string, readonly BoardElement[]>();
  #pump: NodeJS.Timeout | undefined;

  constructor(options: PainterOptions) {
    this.options = options;
    const { random, userId } = options;
    this.#drawer = new Drawer({ random, name: `u${userId}`, shareOfEdits: SHARE_OF_EDITS });
  }

  /** Everything that was drawn is acknowledged. */
  get isDone(): boolean {
    return !this.#isDrawing && this.elements.unsent.length === 0;
  }

  start(): void {
    this.#pump = setInterval(() => this.#tick(), BOARD_SEND_EVERY_MS);
    void this.#connect();
  }

  /** Draws no more; what is drawn is still sent. */
  finish(): void {
    this.#isDrawing = false;
    this.elements.setEditing([]);
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#pump);
    this.#connection?.cut();
  }

  #tick(): void {
    if (this.#isDrawing && this.#position !== null) this.#draw();
    this.#send();
  }

  #draw(): void {
    const drawn = this.#drawer.next([...this.elements.shown.values()]);
    this.elements.setEditing(drawn && !drawn.isDeleted ? [drawn.id] : []);
    if (drawn) this.elements.changed([drawn]);
  }

  #send(): void {
    const nowMs = performance.now();
    const { roomId } = this.options;
    if (!this.#isReady || this.#position === null || nowMs < this.#notBeforeMs) return;
    if (this.#underWay.size >= UNDER_WAY_MAX) return;
    const { elements } = this.elements.nextBatch(nowMs, BATCH_MAX);
    if (elements.length === 0) return;
    this.#sends += 1;
    const receipt = String(this.#sends);
    this.#underWay.set(receipt, elements);
    const { receiptWithinMs = REQUEST_TIMEOUT_MS } = this.options;
    setTimeout(() => this.#sendAgain(receipt), receiptWithinMs).unref();
    const { generation } = this.#position;
    this.#connection?.send(
      'SEND',
      { destination: '/pub/board', receipt },
      JSON.stringify({ roomId, generation, elements }),
    );
  }

  async #connect(): Promise<void> {
    this.#token = await this.options.makeToken();
    this.connects += 1;
    const connection = new StompConnection({
      port: this.options.port,
      token: this.#token,
      onFrame: (frame) => {
        if (this.#connection === connection) this.#receive(connection, frame);
      },
      onClose: (code) => {
        if (code === SERVER_FAILED) this.failures.push(`closed with ${code}`);
        void this.#reconnect(connection);
      },
    });
    this.#connection = connection;
  }

  async #reconnect(lost: StompConnection): Promise<void> {
    if (this.#connection !== lost) return;
    this.#connection = undefined;
    this.#isReady = false;
    // Nobody knows whether they arrived.
    for (const receipt of [...this.#underWay.keys()]) this.#sendAgain(receipt);
    await delay(this.options.random.between(RECONNECT_MS.from, RECONNECT_MS.to));
    if (!this.#isStopped) await this.#connect();
  }

  #receive(connection: StompConnection, { command, headers, body }: StompFrame): void {
    const receipt = headers.get('receipt-id') ?? '';
    if (command === 'CONNECTED') {
      connection.send('SUBSCRIBE', { id: 'sub-0', destination: '/topic/board' });
    } else if (command === 'RECEIPT') this.#acknowledge(receipt, Number(headers.get('number')));
    else if (command === 'ERROR') this.#refuse(receipt);
    else if (command === 'MESSAGE') this.#take(connection, JSON.parse(body) as BoardMessage);
  }

  #acknowledge(receipt: string, number: number): void {
    const elements = this.#underWay.get(receipt) ?? [];
    this.#underWay.delete(receipt);
    for (const { id, version, versionNonce } of elements) {
      this.acknowledgements += 1;
      const before = this.acknowledged.get(id);
      const state = { version, versionNonce };
      if (!before || supersedes(state, before)) this.acknowledged.set(id, state);
    }
    this.elements.confirm(elements, number);
  }

  #refuse(receipt: string): void {
    this.refusals += 1;
    this.#sendAgain(receipt);
    this.#notBeforeMs = performance.now() + RETRY_REFUSED_MS;
  }

  #sendAgain(receipt: string): void {
    this.elements.sendAgain(this.#underWay.get(receipt) ?? []);
    this.#underWay.delete(receipt);
  }

  #take(connection: StompConnection, message: BoardMessage): void {
    if (message.kind === 'start') {
      this.#early = [];
      void this.#read(connection);
    } else if (message.kind === 'changes') {
      this.#early.push(message);
      if (!this.#isReading) this.#takeEarly(connection);
    }
  }

  /** Takes the changes that follow on what is known; reads the board where one is missing. */
  #takeEarly(connection: StompConnection): void {
    while (this.#position !== null) {
      const { generation, number } = this.#position;
      this.#early = this.#early.filter((change) => change.number > number);
      const next = this.#early.find((change) => change.number === number + 1);
      if (!next) break;
      this.#position = { generation, number: next.number };
      this.elements.take(next.elements, next.number);
    }
    if (this.#early.length > 0) void this.#read(connection);
  }

  async #read(connection: StompConnection): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    const board = await this.#fetchBoard().catch(() => null);
    this.#isReading = false;
    if (this.#connection !== connection) {
      if (this.#connection && !this.#isReady) void this.#read(this.#connection);
      return;
    }
    if (!board) {
      connection.cut();
      return;
    }
    const { generation, number, isWhole, elements } = board;
    this.#position = { generation, number };
    if (isWhole) this.elements.takeWhole(elements, number, true);
    else this.elements.take(elements, number);
    this.#isReady = true;
    this.#takeEarly(connection);
  }

  async #fetchBoard(): Promise<Board> {
    this.reads += 1;
    const { port, roomId } = this.options;
    const known = this.#position;
    const query = known ? `?generation=${known.generation}&since=${known.number}` : '';
    const answer = await fetch(`http://127.0.0.1:${port}/api/study-rooms/${roomId}/board${query}`, {
      headers: { authorization: `Bearer ${this.#token}` },
      signal: AbortSignal.timeout(READ_TIMEOUT_MS),
    });
    if (!answer.ok) throw new Error(`the board: ${answer.status}`);
    return (await answer.json()) as Board;
  }
}
