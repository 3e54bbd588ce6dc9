import { createStore } from 'zustand/vanilla';
import type { Listening } from '../src/shared/realtime/listenings.ts';
import {
  noConnection,
  type RealtimeSnapshot,
  type RealtimeState,
  type RealtimeTransport,
  type Receipt,
} from '../src/shared/realtime/realtime-connection.ts';
import { SendError } from '../src/shared/realtime/send-error.ts';

/** One send as the server receives it; the test answers it. */
export interface Sent {
  readonly body: { readonly content: string };
  readonly clientId: string;
  /** Confirms it as the message of this id. */
  readonly confirm: (messageId?: string) => void;
  readonly fail: (error: SendError) => void;
}

/** A realtime connection; the test is its other end. */
export class FakeTransport implements RealtimeTransport {
  readonly store = createStore<RealtimeSnapshot>(() => ({ ...noConnection, state: 'connected' }));
  readonly sent: Sent[] = [];
  /** Headers of every SUBSCRIBE. */
  readonly subscribed: Readonly<Record<string, string>>[] = [];
  readonly #listenings = new Set<Listening>();

  listen(listening: Listening) {
    this.#listenings.add(listening);
    if (this.#isConnected()) this.#subscribe(listening);
    return {
      renew: () => this.#subscribe(listening),
      close: () => void this.#listenings.delete(listening),
    };
  }

  send(_destination: string, body: unknown, headers: Readonly<Record<string, string>>) {
    if (!this.#isConnected()) return Promise.reject(new SendError('lost'));
    const { promise, resolve, reject } = Promise.withResolvers<Receipt>();
    this.sent.push({
      body: body as Sent['body'],
      clientId: headers['client-id'] ?? '',
      confirm: (messageId) => resolve(messageId ? { 'message-id': messageId } : {}),
      fail: reject,
    });
    return promise;
  }

  /** Delivers a message to every open subscription. */
  deliver(body: unknown, headers: Readonly<Record<string, string>> = {}): void {
    for (const listening of [...this.#listenings]) listening.onMessage(body, headers);
  }

  change(state: RealtimeState): void {
    this.store.setState({ state });
    if (state === 'connected') for (const listening of this.#listenings) this.#subscribe(listening);
  }

  #isConnected(): boolean {
    return this.store.getState().state === 'connected';
  }

  #subscribe(listening: Listening): void {
    this.subscribed.push(listening.headers?.() ?? {});
  }
}
