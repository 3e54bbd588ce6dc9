import type { RoomId, UserId } from '@mogakgong/contract';
import { type Frame, Group, type Message } from '@mogakgong/stomp';
import { ApiError } from '../../platform/http/index.ts';
import type {
  Principal,
  RealtimeHub,
  Session,
  Subscription,
  Topic,
} from '../../platform/realtime/index.ts';
import type { Seat } from '../rooms/index.ts';
import type { SeatWatch } from './seat-watch.ts';

/** A subscription that is about to receive what happens in a room. */
export interface Entrance {
  readonly subscription: Subscription;
  readonly seat: Seat;
  /** The SUBSCRIBE; none when the learner moved here with a subscription made elsewhere. */
  readonly frame: Frame | undefined;
  /**
   * Begins delivery, right behind `first` where there is something to come before it. Does neither
   * when the learner has moved on or gone while the room was being prepared.
   */
  readonly enter: (first?: Message) => void;
}

export interface RoomTopicOptions {
  readonly destination: string;
  readonly hub: RealtimeHub;
  readonly seats: SeatWatch;
  readonly onEnter: (entrance: Entrance) => Promise<void>;
  /** The first subscription of a room opened, or its last one closed. */
  readonly onHeld: (roomId: RoomId, isHeld: boolean) => void;
  /** Entering after a move broke; there is no frame to answer. */
  readonly onFailure: (error: unknown) => void;
}

/** Throws unless the room that a destination names is the one a learner sits in. */
export function assertOwnRoom(pathRoomId: string | null, seat: Seat | null): void {
  if (pathRoomId !== null && Number(pathRoomId) !== seat?.roomId) {
    throw new ApiError('notInThisRoom');
  }
}

/** WebSocket close code "try again later". */
const CLOSE_TRY_AGAIN = 1013;

/** A room as this process holds it: who receives it, and how many are in it or about to be. */
interface HeldRoom {
  readonly group: Group<Principal>;
  subscriptions: number;
}

/** Where a subscription is, or is about to be: another object each time it moves. */
interface Place {
  readonly roomId: RoomId | null;
}

/**
 * A destination whose messages are those of the room that the subscriber sits in, whatever room the
 * client names or guesses (design §2). Who moves takes the subscription along; who sits nowhere
 * receives nothing.
 */
export class RoomTopic implements Topic {
  readonly #options: RoomTopicOptions;
  readonly #rooms = new Map<RoomId, HeldRoom>();
  readonly #places = new Map<Session, Map<Subscription, Place>>();

  constructor(options: RoomTopicOptions) {
    this.#options = options;
    options.hub.addTopic(options.destination, this);
    options.seats.onMove((userId, _from, to) => this.#move(userId, to));
    options.hub.onSessionEnd((session) => {
      for (const subscription of this.#places.get(session)?.keys() ?? []) this.#leave(subscription);
      this.#places.delete(session);
    });
  }

  async onSubscribe(
    subscription: Subscription,
    frame: Frame,
    pathRoomId: string | null,
  ): Promise<void> {
    const { session } = subscription;
    const seat = await this.#options.seats.seatOf(session.principal.userId);
    assertOwnRoom(pathRoomId, seat);
    if (!session.isOpen) return;
    const places = this.#places.get(session) ?? new Map<Subscription, Place>();
    this.#places.set(session, places);
    try {
      await this.#enter(subscription, seat, frame);
    } catch (error) {
      // A refused subscription does not exist: nothing may hold its room, or move it.
      this.onUnsubscribe(subscription);
      throw error;
    }
  }

  onUnsubscribe(subscription: Subscription): void {
    this.#leave(subscription);
    this.#places.get(subscription.session)?.delete(subscription);
  }

  /** Sends to everybody who receives this room here. */
  publish(roomId: RoomId, message: Message): void {
    this.#rooms.get(roomId)?.group.publish(message);
  }

  /** Rooms that somebody receives here, or is about to. */
  get heldRoomIds(): readonly RoomId[] {
    return [...this.#rooms.keys()];
  }

  isHeld(roomId: RoomId): boolean {
    return this.#rooms.has(roomId);
  }

  async #enter(subscription: Subscription, seat: Seat | null, frame?: Frame): Promise<void> {
    this.#leave(subscription);
    const places = this.#places.get(subscription.session);
    const place: Place = { roomId: seat?.roomId ?? null };
    places?.set(subscription, place);
    if (!seat) return;
    const { group } = this.#hold(seat.roomId);
    await this.#options.onEnter({
      subscription,
      seat,
      frame,
      enter: (first) => {
        if (places?.get(subscription) !== place) return;
        if (first) subscription.send(first);
        group.add(subscription);
      },
    });
  }

  #move(userId: UserId, to: Seat | null): void {
    for (const session of this.#options.hub.sessionsOf(userId)) {
      for (const subscription of [...(this.#places.get(session)?.keys() ?? [])]) {
        this.#enter(subscription, to).catch((error: unknown) => {
          this.#options.onFailure(error);
          // There is no frame to answer: the client comes back and asks for what it missed.
          session.close(CLOSE_TRY_AGAIN, 'could not follow the learner');
        });
      }
    }
  }

  #hold(roomId: RoomId): HeldRoom {
    const known = this.#rooms.get(roomId);
    if (known) {
      known.subscriptions += 1;
      return known;
    }
    const room = { group: new Group<Principal>(), subscriptions: 1 };
    this.#rooms.set(roomId, room);
    this.#options.onHeld(roomId, true);
    return room;
  }

  #leave(subscription: Subscription): void {
    const places = this.#places.get(subscription.session);
    const roomId = places?.get(subscription)?.roomId ?? null;
    if (roomId === null) return;
    places?.set(subscription, { roomId: null });
    const room = this.#rooms.get(roomId);
    if (!room) return;
    room.group.remove(subscription);
    room.subscriptions -= 1;
    if (room.subscriptions > 0) return;
    this.#rooms.delete(roomId);
    this.#options.onHeld(roomId, false);
  }
}
