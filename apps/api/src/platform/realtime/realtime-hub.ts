import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  CONNECT_DEADLINE_MS,
  type ErrorName,
  errors,
  FORGIVEN_SILENCE_MS,
  HEART_BEAT_MS,
  type Language,
  TOKEN_SUB_PROTOCOL,
  type UserId,
} from '@mogakgong/contract';
import {
  type Accepted,
  createStompServer,
  type Frame,
  type Receipt,
  Refusal,
  rejectUpgrade,
  type StompServer,
  type StompSession,
  type StompSubscription,
} from '@mogakgong/stomp';
import type * as z from 'zod/mini';
import {
  ApiError,
  type Authenticate,
  bearerOf,
  type HoldSlot,
  requestLanguage,
  rowOf,
  type TokenHolder,
  type UnconnectedSocket,
} from '../http/index.ts';
import type { Logger } from '../logger/index.ts';
import { LearnerSockets } from './learner-sockets.ts';

/** Data of a client before its CONNECT. */
interface Handshake {
  /** A token given with the upgrade (specification §7), or null. */
  readonly token: string | null;
  readonly language: Language;
  readonly socket: Duplex;
  readonly unconnected: UnconnectedSocket;
}

/** A connected learner: account, log-in, expiry and language. */
export interface Principal extends TokenHolder {
  readonly language: Language;
}

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

interface RealtimeHubOptions {
  readonly authenticate: Authenticate;
  readonly logger: Logger;
}

/**
 * 20 changes of a board a second, and the other frames of a room; the burst is that of opening one (decision
 * 070).
 */
const FRAMES_PER_SECOND = 30;
const FRAME_BURST = 60;
/** Twice the number of destinations, each of which may be subscribed to with its room as well. */
const SUBSCRIPTIONS = 8;
/** When to retry after a failure of ours; clients wait longer with each (decision 105). */
const RETRY_AFTER_SECONDS = 1;
/** WebSocket close code "try again later". */
const CLOSE_TRY_AGAIN = 1013;
/** Connections close spread over this time when the process stops, so that not all reconnect at once. */
const CLOSE_SPREAD_MS = 2_000;
const DESTINATION = /^(\/(?:topic|user\/queue|pub)\/[a-z]+)(?:\/([1-9]\d{0,15}))?$/u;

/** The one realtime connection of each browser tab: log-in, limits, and dispatch to features. */
export class RealtimeHub {
  readonly #options: RealtimeHubOptions;
  readonly #server: StompServer<Handshake>;
  readonly #topics = new Map<string, Topic>();
  readonly #senders = new Map<string, SendHandler>();
  readonly #sessions = new Map<UserId, Set<Session>>();
  readonly #sockets = new LearnerSockets();
  readonly #onArrival: ((userId: UserId) => void)[] = [];
  readonly #onSessionEnd: ((session: Session) => void)[] = [];
  readonly #onDeparture: ((userId: UserId, quietMs: number) => void)[] = [];

  constructor(options: RealtimeHubOptions) {
    this.#options = options;
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
        onDisconnect: (session) => this.#disconnect(session),
        onFailure: (error) => options.logger.error({ err: error }, 'a realtime frame failed'),
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

  /**
   * Takes a WebSocket upgrade of the realtime path. An invalid token is refused here, except one in a
   * sub-protocol: a browser does not tell its page why an upgrade was refused, but the answer to CONNECT
   * does.
   */
  async handleUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    holdSlot: HoldSlot,
  ): Promise<void> {
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const { authorization, 'sec-websocket-protocol': subProtocols } = request.headers;
    const given = searchParams.get('access_token') ?? bearerOf(authorization);
    const token = given ?? subProtocolToken(subProtocols);
    let userId: UserId | null = null;
    try {
      if (token !== null) ({ userId } = await this.#options.authenticate(token));
    } catch (error) {
      const status = error instanceof ApiError ? errors[error.row].status : 500;
      if (given !== null) return rejectUpgrade(socket, status);
    }
    if (socket.destroyed) return;
    const language = requestLanguage(request.headers);
    const handshake = { token, language, socket, unconnected: holdSlot(userId) };
    this.#server.handleUpgrade(request, socket, head, handshake);
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
    const { headers } = frame;
    const token =
      bearerOf(headers.get('authorization') ?? headers.get('Authorization')) ?? handshake.token;
    if (token === null) return rowRefusal('unauthorized', handshake.language, false);
    try {
      const caller = await this.#options.authenticate(token);
      if (!this.#sockets.hold(caller.userId, handshake.socket)) {
        return rowRefusal('tooManyConnections', handshake.language, false);
      }
      handshake.unconnected.release();
      const { userId, sessionId, expiresAtMs } = caller;
      return { principal: { userId, sessionId, expiresAtMs, language: handshake.language } };
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

  #disconnect(session: Session): void {
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

  /** A failure by its row of the error table, as over HTTP; our own are logged. */
  #refusalOf(error: unknown, language: Language, staysOpen: boolean): Refusal {
    const failure = error instanceof Error ? error : new Error(String(error));
    const row = rowOf(failure);
    const isOurs = errors[row].status >= 500;
    if (isOurs) this.#options.logger.error({ err: failure }, 'a realtime frame failed');
    const known = failure instanceof ApiError ? failure.retryAfterSeconds : undefined;
    const retryAfterSeconds = known ?? (isOurs ? RETRY_AFTER_SECONDS : undefined);
    return rowRefusal(row, language, staysOpen, retryAfterSeconds);
  }
}

/** The access token among the sub-protocols that a browser offers, or null. */
function subProtocolToken(offered = ''): string | null {
  const names = offered.split(',').map((name) => name.trim());
  const named = names.find((name) => name.startsWith(TOKEN_SUB_PROTOCOL));
  return named?.slice(TOKEN_SUB_PROTOCOL.length) ?? null;
}

function readPayload<Payload>({ body }: Frame, schema: z.ZodMiniType<Payload>): Payload {
  try {
    const payload = schema.safeParse(JSON.parse(body.toString('utf8')));
    if (payload.success) return payload.data;
  } catch {
    // Not JSON: refused below, like any value that the schema does not accept.
  }
  throw new ApiError('invalidRequest');
}

/**
 * A row of the error table as an ERROR frame: its text in the reader's language, its code and name as
 * headers, and the seconds after which to retry, if known.
 */
function rowRefusal(
  row: ErrorName,
  language: Language,
  staysOpen = true,
  retryAfterSeconds?: number,
): Refusal {
  const { code, status } = errors[row];
  return new Refusal(errors[row][language], {
    staysOpen,
    ...(status >= 500 && { closeCode: CLOSE_TRY_AGAIN }),
    headers: [
      ['error-code', code],
      ['error', row],
      ...(retryAfterSeconds === undefined
        ? []
        : ([['retry-after', String(Math.ceil(retryAfterSeconds))]] as const)),
    ],
  });
}
