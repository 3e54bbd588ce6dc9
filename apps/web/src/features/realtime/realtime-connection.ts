import { destinations, type ErrorName, Notice } from '@mogakgong/contract';
import type { IFrame, IMessage } from '@stomp/stompjs';
import {
  type Listening,
  type OpenListening,
  type RealtimeState,
  type RealtimeTransport,
  type Receipt,
  SendError,
} from '../../shared/realtime/transport.ts';
import { PendingSends } from './pending-sends.ts';
import { reconnectDelayMs } from './reconnect-delay.ts';
import { StompLink } from './stomp-link.ts';

export interface RealtimeOptions {
  readonly url: string;
  /** The token to connect with; null when nobody is logged in. */
  readonly readToken: () => string | null;
  /** A newer token than the refused one, or null when the log-in has ended; may reject. */
  readonly replaceToken: (refused: string) => Promise<string | null>;
  readonly onNotice: (notice: Notice) => void;
  readonly delayMs?: (attempt: number) => number;
}

export interface RealtimeSnapshot {
  readonly state: RealtimeState;
  /** Messages of learners at other servers arrive late; nothing is lost. */
  readonly isDegraded: boolean;
  /** Why the server does not let this tab connect, in its own words, or null. */
  readonly refusal: string | null;
}

interface OpenEntry {
  readonly listening: Listening;
  /** The subscription on the present link, if it is made. */
  id: string | null;
  /** Refusals in a row. */
  refusals: number;
}

const TOKEN_ERRORS: ReadonlySet<string> = new Set<ErrorName>(['unauthorized', 'sessionEnded']);

function errorNameOf(frame: IFrame): ErrorName | null {
  return (frame.headers.error as ErrorName | undefined) ?? null;
}

/**
 * The one realtime connection of a tab (design §4). Comes back by itself whatever ended it, with the
 * same subscriptions, and says of each send whether the server confirmed it. Knows no framework.
 */
export class RealtimeConnection implements RealtimeTransport {
  readonly #options: RealtimeOptions;
  readonly #listeners = new Set<() => void>();
  readonly #entries = new Set<OpenEntry>();
  readonly #sends = new PendingSends();
  readonly #stop = new AbortController();
  #snapshot: RealtimeSnapshot = { state: 'connecting', isDegraded: false, refusal: null };
  #link: StompLink | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #attempt = 0;
  #count = 0;
  /** The token that the server refused; it is not used again. */
  #refusedToken: string | null = null;
  #isReplacing = false;

  constructor(options: RealtimeOptions) {
    this.#options = options;
  }

  /** Connects, and stays connected until `close`; call once. */
  start(): void {
    const { signal } = this.#stop;
    const comeBack = () => this.#connectNow();
    const comeBackVisibly = () => document.visibilityState === 'visible' && this.#connectNow();
    window.addEventListener('online', comeBack, { signal });
    window.addEventListener('pageshow', comeBack, { signal });
    document.addEventListener('resume', comeBack, { signal });
    document.addEventListener('visibilitychange', comeBackVisibly, { signal });
    this.listen({
      destination: destinations.notices,
      onMessage: (body) => this.#takeNotice(body),
    });
    void this.#connect();
  }

  /** Ends the connection for good. What was not confirmed is given back as lost. */
  close(): void {
    this.#stop.abort();
    clearTimeout(this.#timer);
    this.#link?.close();
    this.#link = null;
    this.#sends.loseAll();
    this.#update({ state: 'disconnected' });
    this.#listeners.clear();
  }

  readonly getState = (): RealtimeState => this.#snapshot.state;

  /** For `useSyncExternalStore`. */
  readonly getSnapshot = (): RealtimeSnapshot => this.#snapshot;

  readonly onState = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  listen(listening: Listening): OpenListening {
    const entry: OpenEntry = { listening, id: null, refusals: 0 };
    this.#entries.add(entry);
    if (this.#snapshot.state === 'connected') this.#subscribe(entry);
    return {
      renew: () => {
        this.#unsubscribe(entry);
        if (this.#snapshot.state === 'connected') this.#subscribe(entry);
      },
      close: () => {
        this.#unsubscribe(entry);
        this.#entries.delete(entry);
      },
    };
  }

  send(
    destination: string,
    body: unknown,
    headers: Readonly<Record<string, string>>,
  ): Promise<Receipt> {
    const link = this.#link;
    if (link === null || this.#snapshot.state !== 'connected') {
      return Promise.reject(new SendError('lost'));
    }
    this.#count += 1;
    const receipt = `send-${this.#count}`;
    const confirmed = this.#sends.add(receipt);
    try {
      link.publish(destination, JSON.stringify(body), { ...headers, receipt });
    } catch {
      // The socket broke, and nobody has told of it yet.
      this.#sends.fail(receipt, new SendError('lost'));
    }
    return confirmed;
  }

  async #connect(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const token = await this.#usableToken();
    if (this.#stop.signal.aborted || this.#link !== null || this.#isReplacing) return;
    if (token === null) {
      this.#wait();
      return;
    }
    this.#update({ state: 'connecting' });
    const link: StompLink = new StompLink(this.#options.url, token, {
      onConnected: () => this.#connected(),
      onError: (frame) => this.#failed(frame, token),
      onReceipt: (headers) => this.#confirmed(headers),
      onClosed: () => this.#closed(),
    });
    this.#link = link;
  }

  /** The stored token, replaced when the server refused it; null when there is none for now. */
  async #usableToken(): Promise<string | null> {
    const token = this.#options.readToken();
    if (token === null || token !== this.#refusedToken) return token;
    this.#isReplacing = true;
    try {
      return await this.#options.replaceToken(token);
    } catch {
      // The API cannot be reached either: the next try asks again.
      return null;
    } finally {
      this.#isReplacing = false;
    }
  }

  #connected(): void {
    this.#attempt = 0;
    this.#refusedToken = null;
    this.#snapshot = { ...this.#snapshot, isDegraded: false, refusal: null };
    this.#update({ state: 'connected' });
    for (const entry of this.#entries) if (entry.id === null) this.#subscribe(entry);
  }

  /** A subscription's receipt is its id. */
  #entryOf(receipt: string): OpenEntry | undefined {
    return [...this.#entries].find(({ id }) => id === receipt);
  }

  #confirmed(headers: Receipt): void {
    const receipt = headers['receipt-id'] ?? '';
    const entry = this.#entryOf(receipt);
    if (entry === undefined) this.#sends.confirm(receipt, headers);
    else entry.refusals = 0;
  }

  #failed(frame: IFrame, token: string): void {
    const receipt = frame.headers['receipt-id'];
    const errorName = errorNameOf(frame);
    const entry = receipt === undefined ? undefined : this.#entryOf(receipt);
    if (entry !== undefined) {
      this.#subscribeLater(entry);
      return;
    }
    if (receipt !== undefined) {
      // Without a row of the table the server failed: nobody knows how far it came.
      const error =
        errorName === null
          ? new SendError('lost')
          : new SendError('refused', frame.body, errorName);
      this.#sends.fail(receipt, error);
      return;
    }
    if (TOKEN_ERRORS.has(errorName ?? '')) this.#refusedToken = token;
    else if (errorName !== null && this.#snapshot.state !== 'connected')
      this.#update({ refusal: frame.body });
  }

  #closed(): void {
    const isRefusedOnce = this.#refusedToken !== null && this.#attempt === 0;
    this.#link = null;
    for (const entry of this.#entries) entry.id = null;
    this.#sends.loseAll();
    // A token that ran out is replaced at once; nothing is wrong with the connection.
    if (isRefusedOnce) {
      this.#attempt = 1;
      // What is listened to from now on is subscribed when it stands again.
      this.#update({ state: 'connecting' });
      void this.#connect();
    } else {
      this.#wait();
    }
  }

  #wait(): void {
    this.#update({ state: 'disconnected' });
    if (this.#stop.signal.aborted) return;
    const ms = (this.#options.delayMs ?? reconnectDelayMs)(this.#attempt);
    this.#attempt += 1;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#connect(), ms);
  }

  /** Something that lets hope: the network is back, the tab woke up. */
  #connectNow(): void {
    if (this.#link === null && this.#timer !== undefined) void this.#connect();
  }

  #subscribe(entry: OpenEntry): void {
    this.#count += 1;
    const id = `sub-${this.#count}`;
    entry.id = id;
    const { destination, headers, onMessage } = entry.listening;
    this.#link?.subscribe(id, destination, { ...headers?.(), receipt: id }, (message) => {
      // What still comes of a subscription that was replaced is not heard.
      if (entry.id === id) onMessage(bodyOf(message), message.headers);
    });
  }

  /** The server refused it, and the connection stays. */
  #subscribeLater(entry: OpenEntry): void {
    const { id } = entry;
    const ms = (this.#options.delayMs ?? reconnectDelayMs)(entry.refusals);
    entry.refusals += 1;
    setTimeout(() => {
      if (entry.id !== id || !this.#entries.has(entry) || this.#snapshot.state !== 'connected') {
        return;
      }
      this.#unsubscribe(entry);
      this.#subscribe(entry);
    }, ms);
  }

  #unsubscribe(entry: OpenEntry): void {
    if (entry.id !== null && this.#snapshot.state === 'connected')
      this.#link?.unsubscribe(entry.id);
    entry.id = null;
  }

  #takeNotice(body: unknown): void {
    const notice = Notice.safeParse(body);
    if (!notice.success) return;
    if (notice.data.kind === 'delivery') {
      this.#update({ isDegraded: notice.data.state === 'degraded' });
    } else {
      this.#options.onNotice(notice.data);
    }
  }

  #update(change: Partial<RealtimeSnapshot>): void {
    const keys = Object.keys(change) as (keyof RealtimeSnapshot)[];
    if (keys.every((key) => this.#snapshot[key] === change[key])) return;
    this.#snapshot = { ...this.#snapshot, ...change };
    for (const listener of [...this.#listeners]) listener();
  }
}

/** The parsed body; one that is no JSON is undefined, which no reader takes for a message. */
function bodyOf(message: IMessage): unknown {
  try {
    return JSON.parse(message.body);
  } catch {
    return undefined;
  }
}
