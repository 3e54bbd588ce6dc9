import { setTimeout as delay } from 'node:timers/promises';
import { BOARD_SEND_EVERY_MS, type BoardElement, type BoardMessage } from '@mogakgong/contract';
import { Connection } from '../chat/connection.ts';
import { Drawer, strokeOf } from '../support/drawing.ts';
import { createRandom } from '../support/random.ts';
import { until } from '../support/until.ts';

export interface Artist {
  readonly userId: number;
  readonly roomId: number;
  /** Access token of our API; the relay takes anybody. */
  readonly token: string;
}

export interface ArtistsSpec {
  readonly isOurs: boolean;
  readonly port: number;
  readonly artists: readonly Artist[];
  readonly seed: number;
}

/** What was sent and received while they drew. */
export interface Drawn {
  /** States of elements that were sent. */
  readonly changes: number;
  /** Bytes of their JSON. */
  readonly changedBytes: number;
  /** Bytes of the messages that came, of all artists together. */
  readonly receivedBytes: number;
  /** From sending a change to its RECEIPT: it is stored then. None from the relay. */
  readonly receiptsMs: readonly number[];
  /** From sending a change to its arrival, or that of a later state, at another artist. */
  readonly othersMs: readonly number[];
}

/** How many of them look into what comes, to take the time; all of them receive it. */
const OBSERVERS = 4;
/** What an API takes in one SEND, with room for the frame around it. */
const FILLED_AT_ONCE = 10;

interface Sent {
  readonly version: number;
  readonly atMs: number;
}

/** Learners on one board, each with a connection. */
export class Artists {
  readonly #spec: ArtistsSpec;
  readonly #tables: ArtistTable[];
  readonly #isObserver = (index: number) => index < OBSERVERS;
  /** By element: states that the observer of that place has not seen. */
  readonly #unseen: Map<string, Sent[]>[] = [];
  readonly #receiptsMs: number[] = [];
  readonly #othersMs: number[] = [];
  readonly #underWay = new Map<string, number>();
  #rounds = 0;
  #sends = 0;
  #changes = 0;
  #changedBytes = 0;
  #receivedBytes = 0;

  constructor(spec: ArtistsSpec) {
    this.#spec = spec;
    this.#tables = spec.artists.map((artist, index) => this.#seat(artist, index));
    for (let index = 0; index < OBSERVERS; index += 1) this.#unseen.push(new Map());
  }

  async open(): Promise<void> {
    await until(() => this.#tables.every(({ isReady }) => isReady), 'the subscriptions');
  }

  /** Draws in ticks of the client, whatever the server does. */
  async draw(seconds: number): Promise<Drawn> {
    this.#reset();
    this.#rounds += 1;
    const random = createRandom(this.#spec.seed + this.#rounds);
    const drawers = this.#tables.map(
      ({ artist }) =>
        new Drawer({ random: random.split(), name: `r${this.#rounds}-${artist.userId}` }),
    );
    const startMs = performance.now();
    const ticks = Math.round((seconds * 1_000) / BOARD_SEND_EVERY_MS);
    for (let tick = 0; tick < ticks; tick += 1) {
      // Not all at once: each learner's clock ticks at another moment.
      for (const [index, table] of this.#tables.entries()) {
        const atMs = startMs + (tick + index / this.#tables.length) * BOARD_SEND_EVERY_MS;
        if (performance.now() < atMs) await delay(atMs - performance.now());
        const element = drawers[index]?.next();
        if (element) this.#send(table, [element]);
      }
    }
    await until(() => this.#underWay.size === 0, 'the receipts');
    await until(() => this.#unseen.every((states) => states.size === 0), 'the last changes');
    return {
      changes: this.#changes,
      changedBytes: this.#changedBytes,
      receivedBytes: this.#receivedBytes,
      receiptsMs: this.#receiptsMs,
      othersMs: this.#othersMs,
    };
  }

  /** Fills the board with this many elements of about so many bytes. */
  async fill(count: number, bytes: number): Promise<void> {
    const random = createRandom(this.#spec.seed);
    const elements = Array.from({ length: count }, (_, index) =>
      strokeOf(random, `fill-${index}`, bytes),
    );
    for (let from = 0, turn = 0; from < count; from += FILLED_AT_ONCE, turn += 1) {
      const table = this.#tables[turn % this.#tables.length];
      if (table) this.#send(table, elements.slice(from, from + FILLED_AT_ONCE));
      if (turn % this.#tables.length === 0) await delay(BOARD_SEND_EVERY_MS * 2);
    }
    await until(() => this.#underWay.size === 0, 'the receipts');
  }

  close(): void {
    for (const table of this.#tables) {
      table.isClosing = true;
      table.connection.cut();
    }
  }

  #reset(): void {
    this.#receiptsMs.length = 0;
    this.#othersMs.length = 0;
    this.#changes = 0;
    this.#changedBytes = 0;
    this.#receivedBytes = 0;
  }

  #seat(artist: Artist, index: number): ArtistTable {
    const { isOurs, port } = this.#spec;
    const table: ArtistTable = {
      artist,
      index,
      isReady: false,
      isClosing: false,
      generation: 0,
      connection: new Connection({
        port,
        path: isOurs ? '/ws/websocket' : '/',
        subProtocol: isOurs ? 'v12.stomp' : undefined,
        onOpen: () => {
          if (isOurs) table.connection.send(connectFrame(artist.token));
          else table.isReady = true;
        },
        onMessage: (_connection, payload) => this.#receive(table, payload),
        onClose: () => {
          if (!table.isClosing) throw new Error('the server closed a connection');
        },
      }),
    };
    return table;
  }

  #send(table: ArtistTable, elements: readonly BoardElement[]): void {
    const { isOurs } = this.#spec;
    const nowMs = performance.now();
    const text = JSON.stringify(elements);
    this.#changes += elements.length;
    this.#changedBytes += text.length;
    for (const { id, version } of elements) {
      for (const [observer, states] of this.#unseen.entries()) {
        if (observer === table.index) continue;
        const known = states.get(id);
        if (known) known.push({ version, atMs: nowMs });
        else states.set(id, [{ version, atMs: nowMs }]);
      }
    }
    if (!isOurs) {
      table.connection.send(text);
      return;
    }
    this.#sends += 1;
    const receipt = String(this.#sends);
    this.#underWay.set(receipt, nowMs);
    const head = `SEND\ndestination:/pub/board\nreceipt:${receipt}\n\n`;
    const { roomId } = table.artist;
    table.connection.send(
      `${head}{"roomId":${roomId},"generation":${table.generation},"elements":${text}}\0`,
    );
  }

  #receive(table: ArtistTable, payload: Buffer): void {
    this.#receivedBytes += payload.length;
    if (!this.#spec.isOurs) {
      if (this.#isObserver(table.index)) {
        this.#see(table.index, JSON.parse(payload.toString()) as BoardElement[]);
      }
      return;
    }
    for (const frame of payload.toString().split('\0'))
      this.#receiveFrame(table, frame.trimStart());
  }

  #receiveFrame(table: ArtistTable, frame: string): void {
    if (frame.startsWith('CONNECTED')) table.connection.send(SUBSCRIBE);
    else if (frame.startsWith('ERROR')) throw new Error(frame.slice(0, 500));
    else if (frame.startsWith('RECEIPT')) {
      const receipt = /^receipt-id:(.*)$/mu.exec(frame)?.[1] ?? '';
      const sentMs = this.#underWay.get(receipt);
      this.#underWay.delete(receipt);
      if (sentMs !== undefined) this.#receiptsMs.push(performance.now() - sentMs);
    } else if (frame.startsWith('MESSAGE') && (this.#isObserver(table.index) || !table.isReady)) {
      const message = JSON.parse(frame.slice(frame.indexOf('\n\n') + 2)) as BoardMessage;
      if (message.kind === 'start') {
        table.generation = message.generation;
        table.isReady = true;
      } else if (message.kind === 'changes') this.#see(table.index, message.elements);
    }
  }

  #see(observer: number, elements: readonly BoardElement[]): void {
    const nowMs = performance.now();
    const states = this.#unseen[observer];
    for (const { id, version } of elements) {
      const known = states?.get(id);
      if (!known) continue;
      const later = known.filter((sent) => sent.version > version);
      for (const sent of known) if (sent.version <= version) this.#othersMs.push(nowMs - sent.atMs);
      if (later.length > 0) states?.set(id, later);
      else states?.delete(id);
    }
  }
}

interface ArtistTable {
  readonly artist: Artist;
  readonly index: number;
  readonly connection: Connection;
  isReady: boolean;
  isClosing: boolean;
  generation: number;
}

const SUBSCRIBE = 'SUBSCRIBE\nid:sub-0\ndestination:/topic/board\n\n\0';

const connectFrame = (token: string) =>
  `CONNECT\naccept-version:1.2\nhost:localhost\nheart-beat:0,4000\nAuthorization:Bearer ${token}\n\n\0`;
