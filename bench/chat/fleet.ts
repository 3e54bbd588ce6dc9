import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../support/until.ts';
import { Connection } from './connection.ts';
import { type Member, type Protocol, type ProtocolName, protocols } from './protocols.ts';

export interface FleetSpec {
  readonly protocol: ProtocolName;
  readonly port: number;
  readonly members: readonly Member[];
  /** Characters of a message. */
  readonly contentLength?: number;
  /** All clients read at once, also those who only count. */
  readonly areAllPrompt?: boolean;
}

/** Connections that are opened at the same time. */
const OPENING_AT_ONCE = 500;
/** How often those who only count read; a slice of them at a time. */
const READ_EVERY_MS = 250;
const READ_SLICES = 25;
const CONTENT_LENGTH = 80;
const STAMP = /@(\d+\.\d{3})@/u;
const LOCAL_ADDRESSES = 8;
/** Below the 20 frames a second that our server takes of one connection (design §4). */
const FLOOD_MESSAGES_PER_SENDER = 19;

interface Client {
  readonly member: Member;
  readonly connection: Connection;
  readonly room: Room;
  /** Learns when messages come; the others count them. One a room, each at another place in it. */
  readonly isObserver: boolean;
  hellosSent: number;
  deliveries: number;
}

interface Room {
  readonly clients: Client[];
  nextSender: number;
  /** When the flood may send the next message. */
  nextSendMs: number;
}

/** All clients of one server, in rooms, with one clock. */
export class Fleet {
  readonly #protocol: Protocol;
  readonly #spec: FleetSpec;
  readonly #rooms = new Map<number, Room>();
  readonly #clients: Client[] = [];
  readonly #latenciesMs: number[] = [];
  #onObserved: ((room: Room) => void) | undefined;
  #deliveries = 0;
  #isClosing = false;
  #slice = 0;
  readonly #reader: NodeJS.Timeout;

  constructor(spec: FleetSpec) {
    this.#spec = spec;
    this.#protocol = protocols[spec.protocol];
    this.#reader = setInterval(() => this.#readSlice(), READ_EVERY_MS / READ_SLICES);
  }

  /** Opens everything; with `areReceiving` it waits until each has received something. */
  async open({ areReceiving }: { areReceiving: boolean }): Promise<void> {
    const { members } = this.#spec;
    for (let from = 0; from < members.length; from += OPENING_AT_ONCE) {
      const batch = members.slice(from, from + OPENING_AT_ONCE);
      const opened = batch.map((member) => this.#openOne(member));
      await until(() => opened.every((client) => this.#isReady(client)), 'the log-in');
    }
    if (!areReceiving) return;
    // Not every server confirms a subscription: an arriving message does.
    await until(() => {
      const isComplete = this.#clients.every(({ deliveries }) => deliveries > 0);
      if (!isComplete) for (const room of this.#rooms.values()) this.#sendFrom(room, 0);
      return isComplete;
    }, 'the first messages');
    for (const client of this.#clients) {
      client.connection.isPrompt = client.isObserver || this.#spec.areAllPrompt === true;
      client.connection.readsWhole = client.isObserver;
    }
    await delay(500);
  }

  get deliveries(): number {
    return this.#deliveries;
  }

  /**
   * Keeps `underWay` messages of every room under way for so long, as far as one may send; returns
   * the latencies.
   */
  async flood(seconds: number, underWay: number): Promise<number[]> {
    this.#latenciesMs.length = 0;
    this.#onObserved = (room) => this.#sendWhenAllowed(room);
    for (const room of this.#rooms.values()) {
      for (let count = 0; count < underWay; count += 1) this.#sendWhenAllowed(room);
    }
    await delay(seconds * 1_000);
    this.#onObserved = undefined;
    await delay(500);
    return this.#latenciesMs.slice();
  }

  /**
   * Sends at a fixed rate, whatever the server does, and stamps each message with the time at which
   * it was to be sent: the wait during a stall counts for every message.
   */
  async paced(seconds: number, messagesPerSecond: number): Promise<number[]> {
    this.#latenciesMs.length = 0;
    const rooms = [...this.#rooms.values()];
    const startMs = performance.now();
    const total = Math.round(seconds * messagesPerSecond);
    for (let sent = 0; sent < total; ) {
      const due = ((performance.now() - startMs) / 1_000) * messagesPerSecond;
      for (; sent < Math.min(due, total); sent += 1) {
        const room = rooms[sent % rooms.length];
        if (room) this.#sendFrom(room, startMs + (sent / messagesPerSecond) * 1_000);
      }
      await delay(1);
    }
    await delay(300);
    return this.#latenciesMs.slice();
  }

  /** Sends only heart-beats, one per client every four seconds, evenly spread. */
  async idle(seconds: number): Promise<void> {
    const { heartBeat } = this.#protocol;
    const TICK_MS = 20;
    const perTick = Math.ceil((this.#clients.length * TICK_MS) / 4_000);
    const endMs = performance.now() + seconds * 1_000;
    for (let next = 0; performance.now() < endMs; ) {
      for (let count = 0; count < perTick; count += 1) {
        const client = this.#clients[next++ % this.#clients.length];
        if (heartBeat !== undefined) client?.connection.send(heartBeat);
      }
      await delay(TICK_MS);
    }
  }

  /** One learner stops reading, in a room whose others go on; returns the port of its socket. */
  stallOne(): number {
    const client = this.#clients.find(({ isObserver }) => !isObserver);
    if (!client) throw new Error('nobody to stall');
    client.connection.isStalled = true;
    client.room.clients.splice(client.room.clients.indexOf(client), 1);
    return client.connection.socket.localPort ?? 0;
  }

  /** The stalled learner reads again. */
  resumeStalled(): void {
    for (const client of this.#clients) {
      const { connection, room } = client;
      if (!connection.isStalled) continue;
      connection.isStalled = false;
      room.clients.push(client);
      connection.readOnce();
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#reader);
    for (const { connection } of this.#clients) connection.cut();
    await until(() => this.#clients.every(({ connection }) => connection.isClosed), 'the close');
  }

  #openOne(member: Member): Client {
    const room = this.#rooms.get(member.roomId) ?? { clients: [], nextSender: 0, nextSendMs: 0 };
    this.#rooms.set(member.roomId, room);
    const place = room.clients.length;
    const client: Client = {
      member,
      room,
      isObserver: place === (this.#rooms.size - 1) % 20,
      hellosSent: 0,
      deliveries: 0,
      connection: new Connection({
        port: this.#spec.port,
        localAddress: `127.0.0.${2 + (this.#clients.length % LOCAL_ADDRESSES)}`,
        path: this.#protocol.path(member),
        subProtocol: this.#protocol.subProtocol,
        onOpen: () => this.#greet(client),
        onMessage: (_connection, payload) => this.#receive(client, payload),
        onClose: () => {
          if (!this.#isClosing && !client.connection.isStalled)
            throw new Error('the server closed a connection');
        },
      }),
    };
    room.clients.push(client);
    this.#clients.push(client);
    return client;
  }

  #isReady(client: Client): boolean {
    return client.hellosSent > this.#protocol.hello(client.member).length;
  }

  #greet(client: Client): void {
    const hello = this.#protocol.hello(client.member);
    const next = hello[client.hellosSent];
    client.hellosSent += 1;
    if (next !== undefined) client.connection.send(next);
    // Brokers answer CONNECT, but not every SUBSCRIBE.
    const isLast = client.hellosSent === hello.length;
    if (isLast && !next?.includes('receipt:')) client.hellosSent += 1;
  }

  #receive(client: Client, payload: Buffer): void {
    const first = payload[0];
    const reply = this.#protocol.reply?.(first);
    if (reply !== undefined) client.connection.send(reply);
    if (this.#protocol.isError(first)) throw new Error(payload.toString('utf8', 0, 300));
    if (!this.#isReady(client)) {
      this.#greet(client);
      return;
    }
    if (!this.#protocol.isDelivery(first)) return;
    client.deliveries += 1;
    this.#deliveries += 1;
    if (client.isObserver) this.#observe(client.room, payload);
  }

  #observe(room: Room, payload: Buffer): void {
    const stamp = STAMP.exec(payload.toString('latin1'))?.[1];
    if (stamp === undefined || Number(stamp) === 0) return;
    this.#latenciesMs.push(performance.now() - Number(stamp));
    this.#onObserved?.(room);
  }

  #sendWhenAllowed(room: Room): void {
    const nowMs = performance.now();
    const dueMs = Math.max(nowMs, room.nextSendMs);
    room.nextSendMs = dueMs + 1_000 / (FLOOD_MESSAGES_PER_SENDER * room.clients.length);
    if (dueMs === nowMs) this.#sendFrom(room, nowMs);
    else setTimeout(() => this.#sendFrom(room, performance.now()), dueMs - nowMs);
  }

  #sendFrom(room: Room, stampMs: number): void {
    const client = room.clients[room.nextSender++ % room.clients.length];
    if (!client) return;
    const content = `@${stampMs.toFixed(3)}@`.padEnd(
      this.#spec.contentLength ?? CONTENT_LENGTH,
      '.',
    );
    client.connection.send(this.#protocol.chat(client.member, content));
  }

  #readSlice(): void {
    this.#slice = (this.#slice + 1) % READ_SLICES;
    for (let at = this.#slice; at < this.#clients.length; at += READ_SLICES) {
      const connection = this.#clients[at]?.connection;
      if (connection && !connection.isPrompt) connection.readOnce();
    }
  }
}
