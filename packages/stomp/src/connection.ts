import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { Flushable, Flusher } from './flusher.ts';
import type { Session } from './session.ts';
import type { Wire } from './session-context.ts';

/** Up to this many bytes, one copied buffer is cheaper than a vectored write. */
const COPY_BYTES = 16 * 1024;

/** The WebSocket of a connection, with a reference to it, so that all share one set of handlers. */
export class StompWebSocket extends WebSocket {
  connection: Connection | undefined;
}

/**
 * The transport of a session: reads through ws, writes prebuilt messages directly to the socket. That is safe
 * because ws neither fragments nor compresses here, so its own frames (pong, close) are whole messages too.
 */
export class Connection implements Wire, Flushable {
  lastReadMs = 0;
  lastWriteMs = 0;
  session: Session<unknown, unknown> | undefined;
  readonly #socket: Duplex;
  readonly #webSocket: StompWebSocket;
  readonly #flusher: Flusher;
  #queue: Buffer[] = [];
  #queuedBytes = 0;
  #isScheduled = false;

  constructor(webSocket: StompWebSocket, socket: Duplex, flusher: Flusher) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#flusher = flusher;
  }

  get waitingBytes(): number {
    return this.#queuedBytes + this.#socket.writableLength;
  }

  write(bytes: Buffer): void {
    if (this.#webSocket.readyState !== WebSocket.OPEN) return;
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

  /** Destroys the connection now. */
  terminate(): void {
    this.#webSocket.terminate();
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
