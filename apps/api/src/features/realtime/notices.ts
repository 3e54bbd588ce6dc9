import { destinations, type Notice, type UserId } from '@mogakgong/contract';
import type { Message } from '@mogakgong/stomp';
import type { Backplane } from '../../platform/backplane/index.ts';
import { jsonMessage, type RealtimeHub, type Subscription } from '../../platform/realtime/index.ts';
import { createUserChannels } from './user-channels.ts';

interface NoticesParts {
  readonly hub: RealtimeHub;
  readonly backplane: Backplane;
}

/** `/user/queue/notices`: messages to one learner, in every tab and on every device. */
export class Notices {
  readonly #parts: NoticesParts;
  readonly #publish: (userId: UserId, payload: string) => void;
  #count = 0;

  constructor(parts: NoticesParts) {
    this.#parts = parts;
    const { hub, backplane } = parts;
    hub.addTopic(destinations.notices, {
      onSubscribe: async (subscription) => this.#greet(subscription),
      onUnsubscribe: () => undefined,
    });
    this.#publish = createUserChannels(parts, 'notices', (userId, payload) =>
      this.#deliver(userId, JSON.parse(payload) as Notice),
    );
    backplane.onState((state) => {
      for (const userId of hub.userIds) this.#deliver(userId, { kind: 'delivery', state });
    });
  }

  /** Reaches every tab of a learner, in every process; a disconnected learner misses it. */
  send(userId: UserId, notice: Notice): void {
    this.#publish(userId, JSON.stringify(notice));
  }

  /** Reaches the tabs connected to this process: for events that every process knows by itself. */
  sendHere(userId: UserId, notice: Notice): void {
    this.#deliver(userId, notice);
  }

  #greet(subscription: Subscription): void {
    const { state } = this.#parts.backplane;
    if (state !== 'whole') subscription.send(this.#message({ kind: 'delivery', state }));
  }

  #deliver(userId: UserId, notice: Notice): void {
    for (const session of this.#parts.hub.sessionsOf(userId)) {
      for (const subscription of session.subscriptions.values()) {
        const isAsked = subscription.destination.startsWith(destinations.notices);
        if (isAsked) subscription.send(this.#message(notice));
      }
    }
  }

  #message(notice: Notice): Message {
    this.#count += 1;
    return jsonMessage(`notice-${this.#count}`, notice);
  }
}
