import type { Answer, MaybePromise, Refusal, SendAnswer } from './answers.ts';
import type { Frame, HeaderEntries, StompVersion } from './frame.ts';
import type { Message } from './message.ts';

export type AckMode = 'auto' | 'client' | 'client-individual';

/** Reason for the end of a session. `detail` is for logs, never for the client. */
export interface EndReason {
  readonly kind:
    | 'disconnected'
    | 'connection-lost'
    | 'protocol-error'
    | 'refused'
    | 'failed'
    | 'silent'
    | 'no-connect'
    | 'slow-reader'
    | 'closed-by-application';
  readonly detail: string;
}

/** One client, from its accepted CONNECT on. */
export interface StompSession<Principal> {
  /** The `session` header of CONNECTED. */
  readonly id: string;
  readonly version: StompVersion;
  readonly principal: Principal;
  readonly isOpen: boolean;
  /** By subscription id, in order of creation. */
  readonly subscriptions: ReadonlyMap<string, StompSubscription<Principal>>;
  /** Milliseconds since anything was received from the client. */
  readonly quietMs: number;
  /** Sends an ERROR frame that answers no frame, and closes unless the refusal stays open. */
  refuse(refusal: Refusal): void;
  /** Finishes the current frame, then closes the WebSocket with this code. */
  close(code?: number, detail?: string): void;
}

/** Lets a subscription leave its group. */
export interface Membership<Principal> {
  remove(subscription: StompSubscription<Principal>): boolean;
}

export interface StompSubscription<Principal> {
  readonly session: StompSession<Principal>;
  /** The client's id; a 1.0 client may have given none. */
  readonly id: string | undefined;
  readonly destination: string;
  readonly ack: AckMode;
  readonly isOpen: boolean;
  /** Queues a MESSAGE for this subscriber alone; false when it has ended. Never waits. */
  send(message: Message): boolean;
  /** For Group only: those that it leaves when it ends. */
  readonly groups: Set<Membership<Principal>>;
}

export interface Acknowledgement<Principal> {
  readonly subscription: StompSubscription<Principal>;
  /** Oldest first; several if the mode is `client`, which acknowledges all earlier ones too. */
  readonly messageIds: readonly string[];
  readonly isPositive: boolean;
}

/** An accepted CONNECT. */
export interface Accepted<Principal> {
  readonly principal: Principal;
  /** More headers for CONNECTED, e.g. `user-name`. */
  readonly headers?: HeaderEntries;
}

/**
 * The application's decisions. A hook may be asynchronous: the session handles the client's next frame when
 * it has settled, and answers a `receipt` only then. It returns or throws a {@link Refusal} to refuse; any
 * other error is reported to `onFailure` and ends the session.
 */
export interface StompHooks<Principal, Handshake> {
  onConnect(frame: Frame, handshake: Handshake): MaybePromise<Accepted<Principal> | Refusal>;
  /** Once for every accepted CONNECT, before CONNECTED is sent; onDisconnect always follows. */
  onOpen?(session: StompSession<Principal>): void;
  /** The subscription already receives messages here: a snapshot sent now precedes the receipt. */
  onSubscribe?(subscription: StompSubscription<Principal>, frame: Frame): Answer;
  /** Only for UNSUBSCRIBE; the end of a session ends its subscriptions silently. */
  onUnsubscribe?(subscription: StompSubscription<Principal>): Answer;
  onSend?(session: StompSession<Principal>, frame: Frame): SendAnswer;
  onAck?(acknowledgement: Acknowledgement<Principal>): Answer;
  /** Once for every session with an accepted CONNECT, after the current frame is done. */
  onDisconnect?(session: StompSession<Principal>, reason: EndReason): MaybePromise<void>;
  /** A hook threw. The client only receives "internal error". */
  onFailure?(error: unknown, session: StompSession<Principal> | undefined): void;
}
