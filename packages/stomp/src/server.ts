import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { Connection, Flusher, readInSlices, StompWebSocket, type Traffic } from './connection.ts';
import { createBudget, type StompLimits } from './limits.ts';
import { chooseSubProtocol } from './negotiate.ts';
import { createContext, type StompServerOptions } from './options.ts';
import { Session } from './session.ts';
import type { SessionContext } from './session-context.ts';
import { rejectUpgrade } from './upgrade.ts';

const CLOSE_SERVICE_RESTART = 1012;
const CLOSE_STEP_MS = 20;
const NOTHING = Buffer.alloc(0);
/** Heart-beats, pings, pongs and parts of frames are messages too. */
const MESSAGES_PER_FRAME = 4;

export interface CloseOptions {
  /** WebSocket close code; 1012 (service restart) unless given. */
  readonly code?: number;
  /** Spreads the closes over this long, so that the clients do not all come back at once. */
  readonly spreadMs?: number;
}

export interface StompServer<Handshake> {
  readonly traffic: Readonly<Traffic>;
  /** Accepts an upgrade request that the host has already checked. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, handshake: Handshake): void;
  /** Accepts no more connections, lets current frames finish, and resolves when all are closed. */
  close(options?: CloseOptions): Promise<void>;
}

/** A STOMP 1.0–1.2 server over WebSocket. SPEC.md numbers its rules. */
export function createStompServer<Principal, Handshake>(
  options: StompServerOptions<Principal, Handshake>,
): StompServer<Handshake> {
  return new StompEndpoint(options);
}

class StompEndpoint<Principal, Handshake> implements StompServer<Handshake> {
  readonly #context: SessionContext<Principal, Handshake>;
  readonly #webSockets: WebSocketServer;
  readonly #flusher: Flusher;
  readonly #closeTimeoutMs: number;
  readonly #connections = new Set<Connection>();
  readonly #idPrefix = randomBytes(8).toString('hex');
  #opened = 0;
  #isClosing = false;
  #onEmpty: (() => void) | undefined;

  constructor(options: StompServerOptions<Principal, Handshake>) {
    this.#context = createContext(options);
    this.#closeTimeoutMs = options.closeTimeoutMs ?? 5_000;
    this.#flusher = new Flusher(this.#context.clock);
    this.#webSockets = createWebSocketServer(this.#context.limits, this.#closeTimeoutMs);
  }

  get traffic(): Readonly<Traffic> {
    return this.#flusher.traffic;
  }

  handleUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    handshake: Handshake,
  ): void {
    if (this.#isClosing) {
      rejectUpgrade(socket, 503);
      return;
    }
    readInSlices(socket, head);
    this.#webSockets.handleUpgrade(request, socket, NOTHING, (webSocket) => {
      this.#open(webSocket as StompWebSocket, socket, handshake);
    });
  }

  async close({ code = CLOSE_SERVICE_RESTART, spreadMs = 0 }: CloseOptions = {}): Promise<void> {
    this.#isClosing = true;
    const connections = [...this.#connections];
    const steps = Math.max(1, Math.ceil(spreadMs / CLOSE_STEP_MS));
    const perStep = Math.ceil(connections.length / steps);
    for (let from = 0; from < connections.length; from += perStep) {
      if (from > 0) await delay(spreadMs / steps);
      for (const { session } of connections.slice(from, from + perStep)) {
        session?.close(code, 'the server is closing');
      }
    }
    await this.#empty();
  }

  /** Waits until every connection has ended, and destroys the rest after the deadlines. */
  async #empty(): Promise<void> {
    if (this.#connections.size === 0) return;
    const deadlineMs = this.#context.drainTimeoutMs + this.#closeTimeoutMs;
    const destroyRest = setTimeout(() => {
      for (const connection of this.#connections) connection.terminate();
    }, deadlineMs);
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
    clearTimeout(destroyRest);
  }

  #open(webSocket: StompWebSocket, socket: Duplex, handshake: Handshake): void {
    const { limits, clock } = this.#context;
    const budget = createBudget(limits, clock.nowMs(), MESSAGES_PER_FRAME);
    const connection = new Connection(webSocket, socket, this.#flusher, budget);
    const id = `${this.#idPrefix}-${(this.#opened++).toString(36)}`;
    const session = new Session(id, connection, this.#context, handshake);
    connection.session = session as Session<unknown, unknown>;
    this.#connections.add(connection);
    webSocket.on('error', onError);
    webSocket.on('close', (code) => this.#closed(connection, code));
  }

  #closed(connection: Connection, code: number): void {
    this.#connections.delete(connection);
    connection.session?.connectionLost(`WebSocket closed with ${code}`);
    if (this.#connections.size === 0) this.#onEmpty?.();
  }
}

/** The close code that follows carries the error found by ws. */
function onError(): void {}

function createWebSocketServer(limits: StompLimits, closeTimeoutMs: number): WebSocketServer {
  const options = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.messageBytes,
    // Browsers send a message of this size in one; each costs as much as a message.
    maxFragments: 16,
    maxBufferedChunks: 1_024,
    closeTimeout: closeTimeoutMs,
    WebSocket: StompWebSocket,
    handleProtocols: chooseSubProtocol,
  };
  return new WebSocketServer(options);
}
