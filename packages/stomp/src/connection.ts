import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { Clock } from './clock.ts';
import type { TokenBucket } from './limits.ts';
import type { Session } from './session.ts';
import type { Wire } from './session-context.ts';

/** Up to this many bytes, one copied buffer is cheaper than a vectored write. */
const COPY_BYTES = 16 * 1024;

/** About as many bytes as a burst of the smallest messages within a client's budget. */
const SLICE_BYTES = 2 * 1024;

/** Frames and heart-beats of all connections so far. */
export interface Traffic {
  received: number;
  sent: number;
}

/** The WebSocket of a connection, with a reference to it, so that all share one set of handlers. */
export class StompWebSocket extends WebSocket {
  connection: Connection | undefined;
}

/**
 * The transport of a session: reads through ws, writes prebuilt messages directly to the socket. That is safe
 * because ws neither fragments nor compresses here, so its own frames (pong, close) are whole messages too.
 */
export class Connection implements Wire {
  lastReadMs = 0;
  lastWriteMs = 0;
  session: Session<unknown, unknown> | undefined;
  readonly #socket: Duplex;
  readonly #webSocket: StompWebSocket;
  readonly #flusher: Flusher;
  readonly #budget: TokenBucket | undefined;
  #queue: Buffer[] = [];
  #queuedBytes = 0;
  #isScheduled = false;

  /** @param budget of messages, pings and pongs of the client; undefined: no limit */
  constructor(
    webSocket: StompWebSocket,
    socket: Duplex,
    flusher: Flusher,
    budget: TokenBucket | undefined,
  ) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#flusher = flusher;
    this.#budget = budget;
    this.lastReadMs = flusher.clock.nowMs();
    webSocket.connection = this;
    webSocket.on('message', onMessage);
    webSocket.on('ping', onSignOfLife);
    webSocket.on('pong', onSignOfLife);
  }

  /**
   * Counts a message, ping or pong, also while the connection closes. Beyond the budget the connection is
   * destroyed: the client of a close that waits for an answer could send on.
   * @returns whether there is anything to read.
   */
  take(): boolean {
    this.#flusher.traffic.received += 1;
    const nowMs = this.#flusher.clock.nowMs();
    this.lastReadMs = nowMs;
    if (this.#budget?.take(1, nowMs) !== false) return true;
    this.terminate();
    return false;
  }

  get waitingBytes(): number {
    return this.#queuedBytes + this.#socket.writableLength;
  }

  write(bytes: Buffer): void {
    if (this.#webSocket.readyState !== WebSocket.OPEN) return;
    this.#flusher.traffic.sent += 1;
    this.#queue.push(bytes);
    this.#queuedBytes += bytes.length;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#flusher.add(this);
  }

  flush(nowMs: number): void {
    this.#isScheduled = false;
    this.lastWriteMs = nowMs;
    this.#flushQueue();
  }

  dropQueued(): void {
    this.#queue = [];
    this.#queuedBytes = 0;
  }

  ping(): void {
    if (this.#webSocket.readyState === WebSocket.OPEN) this.#webSocket.ping();
  }

  pauseReading(): void {
    this.#webSocket.pause();
  }

  resumeReading(): void {
    this.#webSocket.resume();
  }

  close(code: number): void {
    if (this.#webSocket.readyState !== WebSocket.OPEN) return;
    this.#flushQueue();
    // The peer's half of the closing handshake must be read.
    this.#webSocket.resume();
    this.#webSocket.close(code);
  }

  /** Destroys the connection now, and reads nothing more of what has come. */
  terminate(): void {
    for (const event of ['message', 'ping', 'pong']) this.#webSocket.removeAllListeners(event);
    this.#webSocket.terminate();
    discardUnread(this.#socket);
  }

  #flushQueue(): void {
    const queue = this.#queue;
    const bytes = this.#queuedBytes;
    if (queue.length === 0) return;
    this.dropQueued();
    if (this.#webSocket.readyState !== WebSocket.OPEN) return;
    if (queue.length === 1) this.#socket.write(queue[0]);
    else if (bytes <= COPY_BYTES) this.#socket.write(Buffer.concat(queue, bytes));
    else this.#writeTogether(queue);
  }

  #writeTogether(queue: readonly Buffer[]): void {
    this.#socket.cork();
    for (const bytes of queue) this.#socket.write(bytes);
    this.#socket.uncork();
  }
}

// One function for all connections, not a closure each: `this` is the WebSocket.
function onMessage(this: unknown, data: Buffer): void {
  const { connection } = this as StompWebSocket;
  if (connection?.take()) connection.session?.receive(data);
}

function onSignOfLife(this: unknown): void {
  (this as StompWebSocket).connection?.take();
}

/**
 * Collects the connections with pending writes and flushes each once per turn of the event loop, so that many
 * messages to one client cost one system call.
 */
export class Flusher {
  readonly clock: Clock;
  readonly traffic: Traffic = { received: 0, sent: 0 };
  #waiting: Connection[] = [];

  constructor(clock: Clock) {
    this.clock = clock;
  }

  add(connection: Connection): void {
    if (this.#waiting.length === 0) setImmediate(() => this.#flush());
    this.#waiting.push(connection);
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const nowMs = this.clock.nowMs();
    for (const connection of waiting) connection.flush(nowMs);
  }
}

/**
 * Hands on what an upgraded socket receives in slices, and none behind its destruction: ws reads all messages
 * of a chunk at once, whatever its listener does, and a chunk of 64 KB can hold 10,000.
 * @param head the bytes behind the upgrade request; ws gets none then.
 */
export function readInSlices(socket: Duplex, head: Buffer): void {
  const unread: Buffer[] = [head];
  if (socket.readableLength > 0) unread.push(socket.read());
  for (const slice of slicesOf(Buffer.concat(unread)).reverse()) socket.unshift(slice);
  const push = socket.push.bind(socket);
  socket.push = (chunk: Buffer | null) => {
    if (chunk === null) return push(null);
    let wantsMore = true;
    for (const slice of slicesOf(chunk)) {
      if (socket.destroyed) return false;
      wantsMore = push(slice);
    }
    return wantsMore;
  };
}

/** Forgets what a destroyed socket has received and not handed on; ws would read it. */
function discardUnread(socket: Duplex): void {
  socket.removeAllListeners('data');
  socket.read();
}

function slicesOf(bytes: Buffer): Buffer[] {
  const slices: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
    slices.push(bytes.subarray(from, from + SLICE_BYTES));
  }
  return slices;
}
