import type { Message } from './message.ts';
import type { StompSubscription } from './stomp-types.ts';

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
    if (!subscription.joinGroup(this)) return false;
    this.#members.add(subscription);
    return true;
  }

  /** False when it was not a member. */
  remove(subscription: StompSubscription<Principal>): boolean {
    subscription.leaveGroup(this);
    return this.#members.delete(subscription);
  }

  /** Queues the message for every member; returns how many connections took it. Never waits. */
  publish(message: Message): number {
    let taken = 0;
    for (const member of this.#members) if (member.send(message)) taken += 1;
    return taken;
  }
}
