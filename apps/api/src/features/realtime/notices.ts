import { destinations, type Notice, type UserId } from '@mogakgong/contract';
import type { Message } from '@mogakgong/stomp';
import type { ProcessContext } from '../../platform/context/index.ts';
import { jsonMessage } from './frames.ts';
import type { RealtimeHub, Subscription } from './realtime-hub.ts';

interface NoticesParts extends Pick<ProcessContext, 'backplane'> {
  readonly hub: RealtimeHub;
}

/** `/user/queue/notices`: messages to one learner, in every tab and on every device. */
export class Notices {
  readonly #parts: NoticesParts;
  readonly #channels: UserChannels<Notice>;
  #count = 0;

  constructor(parts: NoticesParts) {
    this.#parts = parts;
    const { hub, backplane } = parts;
    hub.addTopic(destinations.notices, {
      onSubscribe: async (subscription) => this.#greet(subscription),
      onUnsubscribe: () => undefined,
    });
    this.#channels = createUserChannels(parts, 'notices', (userId, notice) =>
      this.#deliver(userId, notice),
    );
    backplane.onState((state, isAffected) => {
      for (const userId of hub.userIds) {
        if (isAffected(this.#channels.of(userId)))
          this.#deliver(userId, { kind: 'delivery', state });
      }
    });
  }

  /** Reaches every tab of a learner, in every process; a disconnected learner misses it. */
  send(userId: UserId, notice: Notice): void {
    this.#channels.publish(userId, notice);
  }

  /** Reaches the tabs connected to this process: for events that every process knows by itself. */
  sendHere(userId: UserId, notice: Notice): void {
    this.#deliver(userId, notice);
  }

  #greet(subscription: Subscription): void {
    const channel = this.#channels.of(subscription.session.principal.userId);
    const state = this.#parts.backplane.stateOf(channel);
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

/** Channels of learners on the backplane. */
interface UserChannels<Event> {
  /** The name of a learner's channel. */
  of(userId: UserId): string;
  /** Reaches every process with a connection of a learner, and no other. */
  publish(userId: UserId, event: Event): void;
}

/**
 * A channel of the backplane for each learner, subscribed by the processes with their connections.
 * @param name distinguishes these channels from others of the same learner.
 */
export function createUserChannels<Event>(
  { hub, backplane }: NoticesParts,
  name: string,
  receive: (userId: UserId, event: Event) => void,
): UserChannels<Event> {
  const stops = new Map<UserId, () => void>();
  const of = (userId: UserId) => `${name}:${userId}`;
  hub.onArrival((userId) => {
    const stop = backplane.subscribe(of(userId), (event: Event) => receive(userId, event));
    stops.set(userId, stop);
  });
  hub.onDeparture((userId) => {
    stops.get(userId)?.();
    stops.delete(userId);
  });
  return { of, publish: (userId, event) => backplane.publish(of(userId), event) };
}
