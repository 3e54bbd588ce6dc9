import type { AddressInfo } from 'node:net';
import { REALTIME_PATH, TOKEN_SUB_PROTOCOL } from '@mogakgong/contract';
import { Client, type IFrame, type IMessage, Versions } from '@stomp/stompjs';
import { sql } from 'kysely';
import { vi } from 'vitest';
import type { Learner, TestApp } from './test-app.ts';

interface ConnectOptions {
  /** Headers of CONNECT. */
  readonly headers?: Record<string, string>;
  /** Appended to the path, e.g. `?access_token=…`. */
  readonly query?: string;
  /**
   * An access token that the upgrade carries, as in our browser: a client without one is closed as a stranger
   * where a busy machine takes three seconds to its CONNECT.
   */
  readonly token?: string;
}

/** A received message, parsed for a test. */
export interface Received {
  readonly headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every kind.
  readonly body: any;
}

/** A real STOMP client on a real socket, with everything it received. */
export class TestClient {
  readonly errors: IFrame[] = [];
  closeCode: number | undefined;
  readonly #client: Client;
  #receipts = 0;

  constructor(app: TestApp, { headers = {}, query = '', token }: ConnectOptions) {
    const { port } = app.http.fastify.server.address() as AddressInfo;
    const url = `ws://127.0.0.1:${port}${REALTIME_PATH}${query}`;
    const protocols = Versions.default.protocolVersions();
    if (token !== undefined) protocols.push(`${TOKEN_SUB_PROTOCOL}${token}`);
    this.#client = new Client({
      webSocketFactory: () => new WebSocket(url, protocols),
      connectHeaders: headers,
      reconnectDelay: 0,
      heartbeatIncoming: 0,
      heartbeatOutgoing: 0,
    });
    this.#client.onStompError = (frame) => void this.errors.push(frame);
    this.#client.onWebSocketClose = (event) => {
      this.closeCode = (event as { code: number }).code;
    };
  }

  /** Resolves when connected or refused. */
  async connect(): Promise<this> {
    this.#client.activate();
    await vi.waitFor(
      () => {
        const isDone = this.#client.connected || this.closeCode !== undefined;
        if (!isDone) throw new Error('neither connected nor closed');
      },
      { timeout: 10_000, interval: 5 },
    );
    return this;
  }

  get isConnected(): boolean {
    return this.#client.connected;
  }

  /** Collects all messages of a destination from now on; resolves once the server has answered. */
  async subscribe(destination: string, headers: Record<string, string> = {}): Promise<Received[]> {
    const received: Received[] = [];
    const isAnswered = this.#awaitReceipt();
    this.#client.subscribe(
      destination,
      (message: IMessage) =>
        void received.push({ headers: message.headers, body: JSON.parse(message.body) }),
      { ...headers, receipt: isAnswered.receipt },
    );
    await isAnswered.done;
    return received;
  }

  /** Ends a subscription by its id. */
  unsubscribe(id: string): void {
    this.#client.unsubscribe(id);
  }

  /** Resolves with the RECEIPT, or once the server answered with an error. */
  async send(
    destination: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<IFrame | undefined> {
    const isAnswered = this.#awaitReceipt();
    this.#client.publish({
      destination,
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { ...headers, receipt: isAnswered.receipt },
    });
    return isAnswered.done;
  }

  /** The name of the last received error. */
  get lastError(): string | undefined {
    return this.errors.at(-1)?.headers.error;
  }

  async close(): Promise<void> {
    await this.#client.deactivate();
  }

  /** Cuts the connection without a closing handshake. */
  cut(): void {
    this.#client.forceDisconnect();
  }

  #awaitReceipt(): { readonly receipt: string; readonly done: Promise<IFrame | undefined> } {
    this.#receipts += 1;
    const receipt = `r${this.#receipts}`;
    let answer: IFrame | undefined;
    this.#client.watchForReceipt(receipt, (frame) => {
      answer = frame;
    });
    const done = vi.waitFor(
      () => {
        const isRefused = this.errors.some((frame) => frame.headers['receipt-id'] === receipt);
        if (!answer && !isRefused && this.closeCode === undefined) throw new Error('no answer');
        return answer;
      },
      { timeout: 10_000, interval: 2 },
    );
    return { receipt, done };
  }
}

export type TestClients = ReturnType<typeof createTestClients>;

/** The clients of a test file: connected as learners, closed together after each test. */
export function createTestClients() {
  const clients: TestClient[] = [];
  return {
    connect(app: TestApp, options: ConnectOptions): Promise<TestClient> {
      const client = new TestClient(app, options);
      clients.push(client);
      return client.connect();
    },
    connectAs(app: TestApp, { token }: Learner): Promise<TestClient> {
      return this.connect(app, { token, headers: { Authorization: `Bearer ${token}` } });
    },
    /**
     * Connects a seated learner, and waits until their sign of life is stored: one from before the test clock
     * moves would look like a clock set back, or like a silent learner.
     */
    async connectSeated(app: TestApp, learner: Learner): Promise<TestClient> {
      const storedSign = async () => {
        const { rows } = await sql<{ at: Date }>`
          select last_seen_at as at from seat where user_id = ${learner.userId}`.execute(
          app.database,
        );
        return rows[0]?.at;
      };
      const entered = await storedSign();
      app.clock.advance(1);
      const client = await this.connectAs(app, learner);
      await vi.waitFor(async () => {
        if ((await storedSign())?.getTime() === entered?.getTime()) throw new Error('not stored');
      });
      return client;
    },
    async closeAll(): Promise<void> {
      await Promise.all(clients.splice(0).map((client) => client.close()));
    },
  };
}
