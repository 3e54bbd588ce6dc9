import type { Client, IMessage } from '@stomp/stompjs';
import { resendWaitMs, SendError, spread } from './send-error.ts';

/** A subscription to one destination. */
export interface Listening {
  readonly destination: string;
  /** Headers of SUBSCRIBE, read for each subscription. */
  readonly headers?: () => Readonly<Record<string, string>>;
  readonly onMessage: (body: unknown, headers: Readonly<Record<string, string>>) => void;
}

export interface OpenListening {
  /** Subscribes again, for example because a message was missed. */
  renew(): void;
  close(): void;
}

interface OpenEntry {
  readonly listening: Listening;
  /** The subscription's id on the current connection, if it exists. */
  id: string | null;
  /** Consecutive refusals. */
  refusals: number;
}

interface ListeningsParts {
  readonly client: Client;
  /** Sends a frame with this receipt; rejects with SendError. */
  readonly confirmed: (receipt: string, transmit: () => void) => Promise<unknown>;
  readonly onHeard: () => void;
  /** Delay before a refused subscription is tried again, doubled with each up to the longest, in ms. */
  readonly delaysMs: { readonly first: number; readonly longest: number };
}

/** The subscriptions of a tab, the same on one connection after the other. */
export class Listenings {
  readonly #parts: ListeningsParts;
  readonly #entries = new Set<OpenEntry>();
  #count = 0;

  constructor(parts: ListeningsParts) {
    this.#parts = parts;
  }

  open(listening: Listening): OpenListening {
    const entry: OpenEntry = { listening, id: null, refusals: 0 };
    this.#entries.add(entry);
    this.#subscribe(entry);
    return {
      renew: () => this.#subscribe(entry),
      close: () => {
        this.#unsubscribe(entry);
        this.#entries.delete(entry);
      },
    };
  }

  /** Subscribes on a new connection. */
  resume(): void {
    for (const entry of this.#entries) if (entry.id === null) this.#subscribe(entry);
  }

  /** The connection has ended, and its subscriptions with it. */
  forgetConnection(): void {
    for (const entry of this.#entries) entry.id = null;
  }

  clear(): void {
    this.#entries.clear();
  }

  /** Subscribes as soon as there is a connection, replacing an earlier subscription. */
  #subscribe(entry: OpenEntry): void {
    this.#unsubscribe(entry);
    if (!this.#parts.client.connected) return;
    this.#count += 1;
    const id = `sub-${this.#count}`;
    entry.id = id;
    const { destination, headers, onMessage } = entry.listening;
    const receive = (message: IMessage) => {
      this.#parts.onHeard();
      // Messages of a replaced subscription are dropped.
      if (entry.id === id) onMessage(bodyOf(message), message.headers);
    };
    this.#parts
      .confirmed(id, () =>
        this.#parts.client.subscribe(destination, receive, { ...headers?.(), id, receipt: id }),
      )
      .then(
        () => {
          entry.refusals = 0;
        },
        (error: unknown) => this.#subscribeLater(entry, id, error),
      );
  }

  /** The server refused or did not answer, and the connection stays. */
  #subscribeLater(entry: OpenEntry, id: string, error: unknown): void {
    const { first, longest } = this.#parts.delaysMs;
    const isOurs = error instanceof SendError && error.reason === 'unavailable';
    const waitMs = isOurs
      ? resendWaitMs(entry.refusals, error)
      : spread(Math.min(first * 2 ** entry.refusals, longest));
    entry.refusals += 1;
    setTimeout(() => {
      if (entry.id === id) this.#subscribe(entry);
    }, waitMs);
  }

  #unsubscribe(entry: OpenEntry): void {
    if (entry.id !== null && this.#parts.client.connected) this.#parts.client.unsubscribe(entry.id);
    entry.id = null;
  }
}

/** The parsed body; undefined for invalid JSON, which no reader accepts. */
function bodyOf(message: IMessage): unknown {
  try {
    return JSON.parse(message.body);
  } catch {
    return undefined;
  }
}
