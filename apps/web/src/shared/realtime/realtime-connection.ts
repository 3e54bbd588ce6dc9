import {
  destinations,
  type ErrorName,
  HEART_BEAT_MS,
  Notice,
  REALTIME_PATH,
  RECONNECT_DELAY_MAX_MS,
  RECONNECT_DELAY_MS,
  REQUEST_TIMEOUT_MS,
  TOKEN_SUB_PROTOCOL,
} from '@mogakgong/contract';
import { Client, type IFrame, ReconnectionTimeMode, Versions } from '@stomp/stompjs';
import { createStore } from 'zustand/vanilla';
import { readAccessToken, replaceAccessToken } from '../api/index.ts';
import { onWake } from '../clock/index.ts';
import { beatWhileHidden } from './hidden-heart-beat.ts';
import { type Listening, Listenings, type OpenListening } from './listenings.ts';
import { SendError, spread } from './send-error.ts';

/** Refusals after which a newer token is requested: it also tells that the account is suspended. */
const TOKEN_REFUSALS: readonly ErrorName[] = ['unauthorized', 'sessionEnded', 'accountSuspended'];

/** The state of the realtime connection (specification §4). */
export type RealtimeState = 'connecting' | 'connected' | 'disconnected';

export interface RealtimeSnapshot {
  readonly state: RealtimeState;
  /** Messages of learners at other servers arrive late; nothing is lost. */
  readonly isDegraded: boolean;
  /**
   * Increases when notices may have been missed: with each connection, and when an outage between the
   * server's processes is over.
   */
  readonly gaps: number;
  /** Why the server refuses this tab's connection, in its own words, or null. */
  readonly refusal: string | null;
}

/** The state before the connection is opened. */
export const noConnection: RealtimeSnapshot = {
  state: 'connecting',
  isDegraded: false,
  gaps: 0,
  refusal: null,
};

/** Headers with which the server confirms a send. */
export type Receipt = Readonly<Record<string, string>>;

/** The part of the connection that features use. */
export type RealtimeTransport = Pick<RealtimeConnection, 'store' | 'listen' | 'send'>;

/** A notice that is not about the connection itself. */
export type TakenNotice = Exclude<Notice, { readonly kind: 'delivery' }>;

export interface RealtimeOptions {
  readonly onNotice: (notice: TakenNotice) => void;
  /** Delay before the first reconnect, doubled with each up to the longest, in ms. */
  readonly reconnectDelaysMs?: { readonly first: number; readonly longest: number };
}

/** Specification §9. */
const reconnectDelaysMs = { first: RECONNECT_DELAY_MS, longest: RECONNECT_DELAY_MAX_MS };

/**
 * All clients learn of the end of an outage at once: they spread their requests over this time, as after a
 * restart.
 */
const GAP_SPREAD_MS = RECONNECT_DELAY_MS;

/** A server silent for longer is out of reach: a beat is due every 4 s. */
const SILENCE_MAX_MS = 2 * HEART_BEAT_MS;

/**
 * The tab's one realtime connection (design §4). Reconnects after any end, with the same subscriptions, and
 * reports for each send whether the server confirmed it. Independent of any framework.
 */
export class RealtimeConnection {
  readonly store = createStore<RealtimeSnapshot>(() => noConnection);
  readonly #options: Required<RealtimeOptions>;
  readonly #client: Client;
  readonly #listenings: Listenings;
  /** Rejects sends that wait for a receipt. */
  readonly #unconfirmed = new Map<string, (error: SendError) => void>();
  readonly #stop = new AbortController();
  #count = 0;
  #gapTimer: ReturnType<typeof setTimeout> | undefined;
  /** When the server was last heard, by the wall clock, which advances while the computer sleeps. */
  #heardAtMs = 0;
  #token: string | null = null;
  /** The token that the server refused; it is not used again. */
  #refusedToken: string | null = null;
  /** A refused token is replaced without a delay once, until a connection succeeds. */
  #mayReconnectAtOnce = true;

  constructor(options: RealtimeOptions) {
    this.#options = { reconnectDelaysMs, ...options };
    this.#client = new Client({
      webSocketFactory: () => this.#openSocket(),
      connectionTimeout: REQUEST_TIMEOUT_MS,
      heartbeatIncoming: HEART_BEAT_MS,
      heartbeatOutgoing: HEART_BEAT_MS,
      reconnectTimeMode: ReconnectionTimeMode.EXPONENTIAL,
      ...this.#delays(),
      // A dead network would keep a socket in its closing handshake for minutes.
      discardWebsocketOnCommFailure: true,
      beforeConnect: () => this.#prepare(),
      onConnect: () => this.#connected(),
      onHeartbeatReceived: () => this.#heard(),
      onStompError: (frame) => this.#failed(frame),
      onWebSocketClose: () => this.#closed(),
    });
    this.#listenings = new Listenings({
      client: this.#client,
      confirmed: (receipt, transmit) => this.#confirmed(receipt, transmit),
      onHeard: () => this.#heard(),
      delaysMs: this.#options.reconnectDelaysMs,
    });
  }

  /** Connects, and stays connected until `close`; call once. */
  start(): void {
    const { signal } = this.#stop;
    const wake = () => {
      // A connection that ended during sleep looks open until a beat is missed.
      const isStale = Date.now() - this.#heardAtMs > SILENCE_MAX_MS;
      if (this.#state === 'connected' && isStale) this.#client.forceDisconnect();
      if (this.#state === 'disconnected') this.#connectNow();
    };
    // The library detects a lost network only by missing heart-beats, after 8 s or more.
    window.addEventListener('offline', () => this.#client.forceDisconnect(), { signal });
    signal.addEventListener('abort', onWake(wake));
    beatWhileHidden(() => this.#client.connected && this.#client.webSocket?.send('\n'), signal);
    this.listen({
      destination: destinations.notices,
      onMessage: (body) => this.#takeNotice(body),
    });
    this.#client.activate();
  }

  /** Closes the connection permanently. Unconfirmed sends are rejected as lost. */
  close(): void {
    this.#stop.abort();
    this.#forgetConnection();
    this.#listenings.clear();
    void this.#client.deactivate();
    this.store.setState({ state: 'disconnected' });
  }

  /** Subscribes until the returned subscription is closed, across reconnects. */
  listen(listening: Listening): OpenListening {
    return this.#listenings.open(listening);
  }

  /**
   * Resolves when the server confirms the send.
   * @throws SendError
   */
  send(
    destination: string,
    body: unknown,
    headers: Readonly<Record<string, string>>,
  ): Promise<Receipt> {
    this.#count += 1;
    const receipt = `send-${this.#count}`;
    return this.#confirmed(receipt, () =>
      this.#client.publish({
        destination,
        body: JSON.stringify(body),
        headers: { ...headers, receipt },
      }),
    );
  }

  get #state(): RealtimeState {
    return this.store.getState().state;
  }

  /** The library's delays, which it doubles; randomised before each try. */
  #delays(): Pick<Client, 'reconnectDelay' | 'maxReconnectDelay'> {
    const { first, longest } = this.#options.reconnectDelaysMs;
    return { reconnectDelay: spread(first), maxReconnectDelay: spread(longest) };
  }

  async #prepare(): Promise<void> {
    this.store.setState({ state: 'connecting' });
    this.#client.configure(this.#delays());
    this.#token = readAccessToken();
    if (this.#token !== null && this.#token === this.#refusedToken) {
      // If the API is unreachable the server refuses the token again, and the next try replaces it.
      this.#token = await replaceAccessToken(this.#token).catch(() => this.#token);
    }
    // Without a token the server refuses; a learner may log in before the next try.
    this.#client.connectHeaders =
      this.#token === null ? {} : { Authorization: `Bearer ${this.#token}` };
  }

  /** The upgrade carries the token, so that strangers cannot take a learner's place (decision 107). */
  #openSocket(): WebSocket {
    const url = `${window.location.origin.replace(/^http/u, 'ws')}${REALTIME_PATH}`;
    const token = this.#token === null ? [] : [`${TOKEN_SUB_PROTOCOL}${this.#token}`];
    return new WebSocket(url, [...Versions.default.protocolVersions(), ...token]);
  }

  /** Called when the network is back, the tab woke up, or there may be a newer token. */
  #connectNow(): void {
    if (this.#stop.signal.aborted) return;
    void this.#client.deactivate();
    this.#client.activate();
  }

  #heard(): void {
    this.#heardAtMs = Date.now();
  }

  #connected(): void {
    this.#heard();
    this.#refusedToken = null;
    this.#mayReconnectAtOnce = true;
    this.store.setState({ state: 'connected', isDegraded: false, refusal: null });
    this.#countGap();
    this.#listenings.resume();
  }

  #failed(frame: IFrame): void {
    const receipt = frame.headers['receipt-id'];
    const errorName = (frame.headers.error as ErrorName | undefined) ?? null;
    if (receipt !== undefined) {
      this.#unconfirmed.get(receipt)?.(SendError.of(frame.headers, frame.body));
    } else if (errorName !== null && TOKEN_REFUSALS.includes(errorName)) {
      this.#refusedToken = this.#token;
    } else if (errorName !== null && this.#state !== 'connected') {
      this.store.setState({ refusal: frame.body });
    }
  }

  #closed(): void {
    this.#forgetConnection();
    if (this.#stop.signal.aborted) return;
    const isTokenOnly = this.#refusedToken !== null && this.#mayReconnectAtOnce;
    this.store.setState({ state: isTokenOnly ? 'connecting' : 'disconnected' });
    if (!isTokenOnly) return;
    this.#mayReconnectAtOnce = false;
    // After the library has started its delay.
    queueMicrotask(() => this.#connectNow());
  }

  #countGap(): void {
    clearTimeout(this.#gapTimer);
    this.#gapTimer = undefined;
    this.store.setState(({ gaps }) => ({ gaps: gaps + 1 }));
  }

  /** Rejects unconfirmed sends: it is unknown which of them arrived. */
  #forgetConnection(): void {
    clearTimeout(this.#gapTimer);
    this.#gapTimer = undefined;
    this.#listenings.forgetConnection();
    for (const reject of [...this.#unconfirmed.values()]) reject(new SendError('lost'));
  }

  /** Sends a frame with this receipt; resolves to the receipt's headers, or rejects with SendError. */
  #confirmed(receipt: string, transmit: () => void): Promise<Receipt> {
    const { promise, resolve, reject } = Promise.withResolvers<Receipt>();
    // The connection is open, but the server is stuck, for example on a hanging database.
    const giveUp = () => reject(new SendError('unavailable', '', 'unavailable'));
    const timer = setTimeout(giveUp, REQUEST_TIMEOUT_MS);
    this.#unconfirmed.set(receipt, reject);
    try {
      this.#client.watchForReceipt(receipt, ({ headers }) => resolve(headers));
      transmit();
    } catch {
      // There is no connection, or its socket broke without an event so far.
      reject(new SendError('lost'));
    }
    return promise.finally(() => {
      clearTimeout(timer);
      this.#unconfirmed.delete(receipt);
    });
  }

  #takeNotice(body: unknown): void {
    const notice = Notice.safeParse(body);
    if (!notice.success) return;
    if (notice.data.kind === 'delivery') {
      const isDegraded = notice.data.state === 'degraded';
      this.store.setState({ isDegraded });
      if (isDegraded) return;
      this.#gapTimer ??= setTimeout(() => this.#countGap(), GAP_SPREAD_MS * Math.random());
    } else {
      this.#options.onNotice(notice.data);
    }
  }
}
