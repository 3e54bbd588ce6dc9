import {
  type Listening,
  type RealtimeState,
  type RealtimeTransport,
  type Receipt,
  SendError,
} from '../src/shared/realtime/transport.ts';

/** One send as the server saw it; the test answers it. */
export interface Sent {
  readonly body: { readonly content: string };
  readonly clientId: string;
  /** Confirms it as the message of this id. */
  readonly confirm: (messageId?: string) => void;
  readonly fail: (error: SendError) => void;
}

/** A realtime connection whose other end is the test. */
export class FakeTransport implements RealtimeTransport {
  state: RealtimeState = 'connected';
  readonly sent: Sent[] = [];
  /** Headers of every SUBSCRIBE. */
  readonly subscribed: Readonly<Record<string, string>>[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #listenings = new Set<Listening>();

  readonly getState = () => this.state;

  readonly onState = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  listen(listening: Listening) {
    this.#listenings.add(listening);
    if (this.state === 'connected') this.#subscribe(listening);
    return {
      renew: () => this.#subscribe(listening),
      close: () => void this.#listenings.delete(listening),
    };
  }

  send(_destination: string, body: unknown, headers: Readonly<Record<string, string>>) {
    if (this.state !== 'connected') return Promise.reject(new SendError('lost'));
    const { promise, resolve, reject } = Promise.withResolvers<Receipt>();
    this.sent.push({
      body: body as Sent['body'],
      clientId: headers['client-id'] ?? '',
      confirm: (messageId) => resolve(messageId ? { 'message-id': messageId } : {}),
      fail: reject,
    });
    return promise;
  }

  /** Everything open hears this. */
  deliver(body: unknown, headers: Readonly<Record<string, string>> = {}): void {
    for (const listening of [...this.#listenings]) listening.onMessage(body, headers);
  }

  change(state: RealtimeState): void {
    this.state = state;
    if (state === 'connected') for (const listening of this.#listenings) this.#subscribe(listening);
    for (const listener of [...this.#listeners]) listener();
  }

  #subscribe(listening: Listening): void {
    this.subscribed.push(listening.headers?.() ?? {});
  }
}
