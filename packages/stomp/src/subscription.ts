import type { StompVersion } from './frame.ts';
import type { Message } from './message.ts';
import type { AckMode, Membership, StompSession, StompSubscription } from './stomp-types.ts';

/** The session as its subscriptions see it. */
export interface SubscriptionOwner<Principal> {
  readonly session: StompSession<Principal>;
  /** Queues a whole WebSocket message; false when the session has ended. */
  write(bytes: Buffer): boolean;
  onTooManyUnacknowledged(): void;
  readonly maxUnacknowledged: number;
}

export class Subscription<Principal> implements StompSubscription<Principal> {
  readonly id: string | undefined;
  readonly destination: string;
  readonly ack: AckMode;
  readonly version: StompVersion;
  readonly groups = new Set<Membership<Principal>>();
  readonly #owner: SubscriptionOwner<Principal>;
  #isOpen = true;
  /** Ids of messages without the client's answer, oldest first. */
  #unacknowledged: Set<string> | undefined;

  constructor(
    owner: SubscriptionOwner<Principal>,
    id: string | undefined,
    destination: string,
    ack: AckMode,
  ) {
    this.#owner = owner;
    this.id = id;
    this.destination = destination;
    this.ack = ack;
    this.version = owner.session.version;
  }

  get session(): StompSession<Principal> {
    return this.#owner.session;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get isAcknowledged(): boolean {
    return this.ack !== 'auto';
  }

  send(message: Message): boolean {
    if (!this.#isOpen) return false;
    if (this.isAcknowledged && !this.#expectAcknowledgement(message.messageId)) return false;
    return this.#owner.write(message.bytesFor(this));
  }

  #expectAcknowledgement(messageId: string): boolean {
    this.#unacknowledged ??= new Set();
    if (this.#unacknowledged.size >= this.#owner.maxUnacknowledged) {
      this.#owner.onTooManyUnacknowledged();
      return false;
    }
    this.#unacknowledged.add(messageId);
    return true;
  }

  isWaitingFor(messageId: string): boolean {
    return this.#unacknowledged?.has(messageId) === true;
  }

  /** Removes the answered message, in mode `client` with all earlier ones; oldest first. */
  takeAcknowledged(messageId: string): string[] {
    const waiting = this.#unacknowledged ?? new Set();
    const taken: string[] = [];
    for (const id of waiting) {
      if (this.ack === 'client' || id === messageId) taken.push(id);
      if (id === messageId) break;
    }
    for (const id of taken) waiting.delete(id);
    return taken;
  }

  /** Ends it: it leaves its groups and receives no more messages. */
  end(): void {
    this.#isOpen = false;
    this.#unacknowledged = undefined;
    for (const group of this.groups) group.remove(this);
  }
}

/**
 * A set of subscriptions that receive the same messages. The application decides on its members, whatever
 * destination the clients named; a subscription can be in several groups and change them while it exists. It
 * leaves them when it ends.
 */
export class Group<Principal> {
  readonly #members = new Set<StompSubscription<Principal>>();

  get size(): number {
    return this.#members.size;
  }

  get members(): ReadonlySet<StompSubscription<Principal>> {
    return this.#members;
  }

  /** False when the subscription has already ended. */
  add(subscription: StompSubscription<Principal>): boolean {
    if (!subscription.isOpen) return false;
    subscription.groups.add(this);
    this.#members.add(subscription);
    return true;
  }

  /** False when it was not a member. */
  remove(subscription: StompSubscription<Principal>): boolean {
    subscription.groups.delete(this);
    return this.#members.delete(subscription);
  }

  /** Queues the message for every member; returns how many connections took it. Never waits. */
  publish(message: Message): number {
    let taken = 0;
    for (const member of this.#members) if (member.send(message)) taken += 1;
    return taken;
  }
}
