import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  CONNECT_DEADLINE_MS,
  type ErrorName,
  errors,
  FORGIVEN_SILENCE_MS,
  HEART_BEAT_MS,
  type Language,
  type UserId,
} from '@mogakgong/contract';
import {
  type Accepted,
  createStompServer,
  type EndReason,
  type Frame,
  type Receipt,
  type Refusal,
  type StompServer,
  type StompSession,
  type StompSubscription,
} from '@mogakgong/stomp';
import type * as z from 'zod/mini';
import { type Authenticate, type HoldSlot, rowOf } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/logger/index.ts';
import { EndCounts } from './end-counts.ts';
import { readPayload, refusalOf, rowRefusal } from './frames.ts';
import { type Handshake, Handshakes, type Principal } from './handshakes.ts';

export type Session = StompSession<Principal>;
export type Subscription = StompSubscription<Principal>;

/** Serves one destination and, where `pathRoomId` is given, the same with a room number appended. */
export interface Topic {
  onSubscribe(subscription: Subscription, frame: Frame, pathRoomId: string | null): Promise<void>;
  onUnsubscribe(subscription: Subscription): void;
}

/** A SEND of a client to one destination. */
export interface Sent<Payload> {
  readonly session: Session;
  readonly headers: Frame['headers'];
  readonly payload: Payload;
  /** The room number at the end of the destination, if any. */
  readonly pathRoomId: string | null;
}

type SendHandler = (session: Session, frame: Frame, pathRoomId: string | null) => Promise<Receipt>;

/**
 * 20 changes of a board a second, and the other frames of a room; the burst is that of opening one (decision
 * 070).
 */
const FRAMES_PER_SECOND = 30;
const FRAME_BURST = 60;
/** Twice the number of destinations, each of which may be subscribed to with its room as well. */
const SUBSCRIPTIONS = 10;
/** Connections close spread over this time when the process stops, so that not all reconnect at once. */
const CLOSE_SPREAD_MS = 2_000;
const DESTINATION = /^(\/(?:topic|user\/queue|pub)\/[a-z]+)(?:\/([1-9]\d{0,15}))?$/u;

/** The one realtime connection of each browser tab: log-in, limits, and dispatch to features. */
export class RealtimeHub {
  readonly #logger: Logger;
  readonly #handshakes: Handshakes;
  readonly #server: StompServer<Handshake>;
  readonly #topics = new Map<string, Topic>();
  readonly #senders = new Map<string, SendHandler>();
  readonly #sessions = new Map<UserId, Set<Session>>();
  readonly #ends = new EndCounts();
  #failures = 0;
  readonly #onArrival: ((userId: UserId) => void)[] = [];
  readonly #onSessionEnd: ((session: Session) => void)[] = [];
  readonly #onDeparture: ((userId: UserId, quietMs: number) => void)[] = [];

  constructor(options: { readonly authenticate: Authenticate; readonly logger: Logger }) {
    this.#logger = options.logger;
    this.#handshakes = new Handshakes(options.authenticate);
    this.#server = createStompServer<Principal, Handshake>({
      serverName: 'mogakgong',
      connectTimeoutMs: CONNECT_DEADLINE_MS,
      heartBeat: {
        sendMs: HEART_BEAT_MS,
        receiveMs: HEART_BEAT_MS,
        silenceMs: FORGIVEN_SILENCE_MS,
      },
      limits: {
        framesPerSecond: FRAMES_PER_SECOND,
        frameBurst: FRAME_BURST,
        subscriptions: SUBSCRIPTIONS,
      },
      hooks: {
        onConnect: (frame, handshake) => this.#connect(frame, handshake),
        onOpen: (session) => this.#welcome(session),
        onSubscribe: (subscription, frame) => this.#subscribe(subscription, frame),
        onUnsubscribe: (subscription) => this.#unsubscribe(subscription),
        onSend: (session, frame) => this.#send(session, frame),
        onDisconnect: (session, { kind }) => this.#disconnect(session, kind),
        onFailure: (error) => this.#noteFailure(error),
      },
    });
  }

  /** Serves a destination of `destinations`. */
  addTopic(destination: string, topic: Topic): void {
    this.#topics.set(destination, topic);
  }

  /**
   * Handles the SENDs to one destination with a JSON body that `schema` accepts; any other body is
   * `invalidRequest`. The receipt is answered when the promise settles.
   */
  addSendHandler<Payload>(
    destination: string,
    schema: z.ZodMiniType<Payload>,
    handle: (sent: Sent<Payload>) => Promise<Receipt>,
  ): void {
    this.#senders.set(destination, async (session, frame, pathRoomId) => {
      const payload = readPayload(frame, schema);
      return handle({ session, headers: frame.headers, payload, pathRoomId });
    });
  }

  /** Calls `listener` when the first connection of a learner opens here. */
  onArrival(listener: (userId: UserId) => void): void {
    this.#onArrival.push(listener);
  }

  /**
   * Calls `listener` when the last connection of a learner here has ended, with the milliseconds since the
   * last data from it.
   */
  onDeparture(listener: (userId: UserId, quietMs: number) => void): void {
    this.#onDeparture.push(listener);
  }

  /** Calls `listener` when a connection has ended, before `onDeparture`. */
  onSessionEnd(listener: (session: Session) => void): void {
    this.#onSessionEnd.push(listener);
  }

  /** The learners connected to this process. */
  get userIds(): IterableIterator<UserId> {
    return this.#sessions.keys();
  }

  /** For operators: the connections with a log-in here, and what has happened on all so far. */
  figures() {
    const sessions = [...this.#sessions.values()];
    return {
      connections: sessions.reduce((sum, { size }) => sum + size, 0),
      learners: sessions.length,
      ...this.#server.traffic,
      failures: this.#failures,
      ends: this.#ends.all,
    };
  }

  isConnected(userId: UserId): boolean {
    return this.#sessions.has(userId);
  }

  /** Milliseconds since the last data from a learner connected here. */
  quietMsOf(userId: UserId): number {
    return Math.min(...[...this.sessionsOf(userId)].map((session) => session.quietMs));
  }

  sessionsOf(userId: UserId): Iterable<Session> {
    return this.#sessions.get(userId) ?? [];
  }

  /** Takes a WebSocket upgrade of the realtime path. */
  async handleUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    holdSlot: HoldSlot,
  ): Promise<void> {
    const handshake = await this.#handshakes.begin(request, socket, holdSlot);
    if (handshake) this.#server.handleUpgrade(request, socket, head, handshake);
  }

  /** Ends every connection of a log-in that has ended. */
  endLogin(sessionId: string): void {
    this.#endAll('sessionEnded', (principal) => principal.sessionId === sessionId);
  }

  /** Ends every connection of an account that was suspended. */
  endAccount(userId: UserId): void {
    this.#endAll('accountSuspended', (principal) => principal.userId === userId);
  }

  /** Repeated: ends every connection with an expired access token; its client renews the token. */
  endExpired(now: Date): void {
    const nowMs = now.getTime();
    this.#endAll('unauthorized', ({ expiresAtMs }) => expiresAtMs <= nowMs);
  }

  close(): Promise<void> {
    return this.#server.close({ spreadMs: CLOSE_SPREAD_MS });
  }

  async #connect(frame: Frame, handshake: Handshake): Promise<Accepted<Principal> | Refusal> {
    try {
      return { principal: await this.#handshakes.connect(frame, handshake) };
    } catch (error) {
      return this.#refusalOf(error, handshake.language, false);
    }
  }

  #welcome(session: Session): void {
    const { userId } = session.principal;
    const known = this.#sessions.get(userId);
    if (known) {
      known.add(session);
      return;
    }
    this.#sessions.set(userId, new Set([session]));
    for (const listener of this.#onArrival) listener(userId);
  }

  #endAll(row: ErrorName, isOver: (principal: Principal) => boolean): void {
    for (const session of [...this.#sessions.values()].flatMap((sessions) => [...sessions])) {
      const { principal } = session;
      if (isOver(principal)) session.refuse(rowRefusal(row, principal.language, false));
    }
  }

  #disconnect(session: Session, kind: EndReason['kind']): void {
    this.#ends.count(kind);
    for (const listener of this.#onSessionEnd) listener(session);
    const { userId } = session.principal;
    const sessions = this.#sessions.get(userId);
    if (!sessions?.delete(session) || sessions.size > 0) return;
    this.#sessions.delete(userId);
    for (const listener of this.#onDeparture) listener(userId, session.quietMs);
  }

  async #subscribe(subscription: Subscription, frame: Frame): Promise<Refusal | undefined> {
    const { session, destination } = subscription;
    const [, base = '', pathRoomId = null] = DESTINATION.exec(destination) ?? [];
    const topic = this.#topics.get(base);
    if (!topic) return rowRefusal('unknownDestination', session.principal.language);
    // Each would get all messages again.
    const isRepeated = [...session.subscriptions.values()].some(
      (other) => other !== subscription && other.destination === destination,
    );
    if (isRepeated) return rowRefusal('alreadySubscribed', session.principal.language);
    const refusal = await this.#explain(session, () =>
      topic.onSubscribe(subscription, frame, pathRoomId),
    );
    return refusal ?? undefined;
  }

  async #unsubscribe(subscription: Subscription): Promise<Refusal | undefined> {
    const [, base = ''] = DESTINATION.exec(subscription.destination) ?? [];
    const refusal = await this.#explain(subscription.session, async () =>
      this.#topics.get(base)?.onUnsubscribe(subscription),
    );
    return refusal ?? undefined;
  }

  async #send(session: Session, frame: Frame): Promise<Receipt | Refusal> {
    const [, base = '', pathRoomId = null] =
      DESTINATION.exec(frame.headers.get('destination') ?? '') ?? [];
    const handler = this.#senders.get(base);
    if (!handler) return rowRefusal('unknownDestination', session.principal.language);
    return this.#explain(session, () => handler(session, frame, pathRoomId));
  }

  /** Turns any error of a feature into an ERROR frame; the connection stays. */
  async #explain<Done>(session: Session, work: () => Promise<Done>): Promise<Done | Refusal> {
    try {
      return await work();
    } catch (error) {
      return this.#refusalOf(error, session.principal.language, true);
    }
  }

  #noteFailure(error: unknown): void {
    this.#failures += 1;
    this.#logger.error({ err: error }, 'a realtime frame failed');
  }

  /** The ERROR frame of a failure; our own failures are logged. */
  #refusalOf(error: unknown, language: Language, staysOpen: boolean): Refusal {
    const failure = error instanceof Error ? error : new Error(String(error));
    const isOurs = errors[rowOf(failure)].status >= 500;
    if (isOurs) this.#noteFailure(failure);
    return refusalOf(failure, language, staysOpen);
  }
}
