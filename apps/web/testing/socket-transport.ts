import { HEART_BEAT_MS, REALTIME_PATH } from '@mogakgong/contract';
import { Client } from '@stomp/stompjs';
import { createStore } from 'zustand/vanilla';
import type { Listening } from '../src/shared/realtime/listenings.ts';
import {
  noConnection,
  type RealtimeSnapshot,
  type RealtimeTransport,
  type Receipt,
} from '../src/shared/realtime/realtime-connection.ts';
import { SendError } from '../src/shared/realtime/send-error.ts';

/** Delay before reconnecting: shorter than in browsers, to keep tests fast. */
const RECONNECT_MS = 200;

/**
 * A learner's connection to a running product, for a process that plays several learners: the application has
 * one per tab, with the token in the browser's storage.
 */
export class SocketTransport implements RealtimeTransport {
  readonly store = createStore<RealtimeSnapshot>(() => noConnection);
  readonly #client: Client;
  readonly #unconfirmed = new Map<string, (error: SendError) => void>();
  #listening: Listening | null = null;
  #count = 0;

  constructor(url: string, token: string) {
    this.#client = new Client({
      brokerURL: url.replace(/^http/u, 'ws') + REALTIME_PATH,
      connectHeaders: { Authorization: `Bearer ${token}` },
      reconnectDelay: RECONNECT_MS,
      heartbeatIncoming: HEART_BEAT_MS,
      heartbeatOutgoing: HEART_BEAT_MS,
      discardWebsocketOnCommFailure: true,
      onConnect: () => {
        this.store.setState({ state: 'connected' });
        this.#subscribe();
      },
      onStompError: ({ headers, body }) => {
        this.#unconfirmed.get(headers['receipt-id'] ?? '')?.(SendError.of(headers, body));
      },
      onWebSocketClose: () => this.#closed(),
    });
  }

  connect(): void {
    this.#client.activate();
  }

  /** Cuts the network until `connect`. */
  cut(): void {
    this.#client.forceDisconnect();
    void this.#client.deactivate({ force: true });
    this.#closed();
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

  send(destination: string, body: unknown): Promise<Receipt> {
    const { promise, resolve, reject } = Promise.withResolvers<Receipt>();
    this.#count += 1;
    const receipt = `send-${this.#count}`;
    this.#unconfirmed.set(receipt, reject);
    if (!this.#client.connected) reject(new SendError('lost'));
    else {
      this.#client.watchForReceipt(receipt, ({ headers }) => resolve(headers));
      this.#client.publish({ destination, body: JSON.stringify(body), headers: { receipt } });
    }
    return promise.finally(() => this.#unconfirmed.delete(receipt));
  }

  #subscribe(): void {
    const listening = this.#listening;
    if (listening === null || !this.#client.connected) return;
    this.#client.unsubscribe('listening');
    this.#client.subscribe(
      listening.destination,
      ({ body, headers }) => {
        if (this.#listening === listening) listening.onMessage(JSON.parse(body), headers);
      },
      { id: 'listening' },
    );
  }

  #closed(): void {
    this.store.setState({ state: 'disconnected' });
    for (const reject of [...this.#unconfirmed.values()]) reject(new SendError('lost'));
  }
}
