import type { RoomId, UserId } from '@mogakgong/contract';
import { type Frame, Group, type Message } from '@mogakgong/stomp';
import { compareInRounds, type IsDue } from '../../platform/backplane/index.ts';
import type { PlatformContext } from '../../platform/context/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { BlockedPairs } from '../blocks/index.ts';
import type { Seat } from '../rooms/index.ts';
import type { Principal } from './handshakes.ts';
import type { Numbered } from './numbered-log.ts';
import type { RealtimeHub, Subscription, Topic } from './realtime-hub.ts';
import type { SeatWatch } from './seat-watch.ts';

/** A gathering of a room: it ends when the last learner leaves. */
export type Gathering = Pick<Seat, 'roomId' | 'epoch'>;

/** Delivers the events of one gathering to its subscribers in this process; lives while there are any. */
export interface RoomFeed<Event> {
  /** Takes events published by any process. */
  receive(events: readonly Event[]): void;
  /** Takes the last number assigned by the database. */
  expectUpTo(number: number): void;
  close(): void;
}

/** A subscription that is about to receive the events of a room. */
export interface Entrance<Feed> {
  readonly subscription: Subscription;
  readonly seat: Seat;
  readonly feed: Feed;
  /** The SUBSCRIBE; none when the learner moved here with an existing subscription. */
  readonly frame: Frame | undefined;
  /**
   * Begins delivery, right after the messages `first`. Does neither when the learner has moved on or left while
   * the room was being prepared.
   */
  readonly enter: (...first: readonly Message[]) => void;
}

export interface RoomTopicOptions<Event, Feed extends RoomFeed<Event>>
  extends Pick<PlatformContext, 'backplane' | 'jobs' | 'logger'> {
  /** The destination of subscribers; the rooms' channels on the backplane are named after it. */
  readonly destination: string;
  readonly hub: RealtimeHub;
  readonly seats: SeatWatch;
  readonly pairs: Pick<BlockedPairs, 'ready' | 'apartFrom' | 'onChange'>;
  readonly openFeed: (gathering: Gathering) => Feed;
  readonly onEnter: (entrance: Entrance<Feed>) => Promise<void>;
  /** The last number assigned by the database in each gathering. */
  readonly findNumbers: (
    gatherings: readonly Gathering[],
  ) => Promise<readonly (Gathering & Numbered)[]>;
  /** Called on a failure without a frame to answer. */
  readonly onFailure: (error: unknown) => void;
}

/** After a failure a moved learner is followed again in this time, up to doubled at random. */
const FOLLOW_AGAIN_MS = 1_000;

/** A room held by this process: its subscribers, and the number of present and pending ones. */
interface HeldRoom<Feed> {
  readonly group: Group<Principal>;
  subscriptions: number;
  epoch: number;
  feed: Feed;
  readonly stop: () => void;
}

/** The place of a subscription, or its target: a new object for each move. */
type Place = { readonly roomId: RoomId | null };

/**
 * A destination that delivers the messages of the subscriber's own room, whatever room the client names or
 * guesses (design §2). The subscription follows a learner who moves; one without a seat receives nothing.
 * This process has a channel of the backplane and a feed for each room that has a subscriber here.
 */
export class RoomTopic<Event, Feed extends RoomFeed<Event>> implements Topic {
  readonly #options: RoomTopicOptions<Event, Feed>;
  readonly #rooms = new Map<RoomId, HeldRoom<Feed>>();
  readonly #places = new Map<Subscription, Place>();

  constructor(options: RoomTopicOptions<Event, Feed>) {
    this.#options = options;
    options.hub.addTopic(options.destination, this);
    options.seats.onMove((userId, _from, to) => this.#move(userId, to));
    options.pairs.onChange((...pair) => void this.#showAgain(...pair).catch(options.onFailure));
    options.hub.onSessionEnd((session) => {
      for (const subscription of session.subscriptions.values()) this.onUnsubscribe(subscription);
    });
    compareInRounds<RoomId>(options, {
      name: `events of ${options.destination}`,
      channelOf: (roomId) => this.#channelOf(roomId),
      compare: (isDue) => this.#compare(isDue),
    });
  }

  async onSubscribe(
    subscription: Subscription,
    frame: Frame,
    pathRoomId: string | null,
  ): Promise<void> {
    const { session } = subscription;
    const seat = await this.#currentSeatOf(session.principal.userId);
    assertOwnRoom(pathRoomId, seat);
    if (!session.isOpen) return;
    try {
      await this.#enter(subscription, seat, frame);
    } catch (error) {
      // A refused subscription does not exist: it must neither hold its room nor be moved.
      this.onUnsubscribe(subscription);
      throw error;
    }
  }

  /**
   * The seat of a sender to a room, which both destination and body must name.
   * @throws ApiError `notInThisRoom`.
   */
  async seatFor(userId: UserId, pathRoomId: string | null, roomId: RoomId): Promise<Seat> {
    const seat = await this.#options.seats.seatOf(userId);
    assertOwnRoom(pathRoomId, seat);
    if (seat?.roomId !== roomId) throw new ApiError('notInThisRoom');
    return seat;
  }

  onUnsubscribe(subscription: Subscription): void {
    this.#leave(subscription);
    this.#places.delete(subscription);
  }

  /** Publishes events of a room to every process, in the order of their numbers. */
  publish(roomId: RoomId, events: readonly Event[]): void {
    this.#options.backplane.publish(this.#channelOf(roomId), events);
  }

  /**
   * Sends to all subscribers of this room here.
   * @param about the learners that the message shows.
   * @param messageFor makes the message of a viewer that may not see one of the changed learners; null: none.
   */
  deliver(
    roomId: RoomId,
    message: Message,
    about: readonly UserId[],
    messageFor: (viewer: UserId) => Message | null,
  ): void {
    const group = this.#rooms.get(roomId)?.group;
    if (!group) return;
    const apart = about.map((userId) => this.#options.pairs.apartFrom(userId));
    if (apart.every(({ size }) => size === 0)) {
      group.publish(message);
      return;
    }
    for (const member of group.members) {
      const viewer = member.session.principal.userId;
      const shown = apart.some((ids) => ids.has(viewer)) ? messageFor(viewer) : message;
      if (shown) member.send(shown);
    }
  }

  /** Sends an individual message, or none, to each subscriber of this room here. */
  deliverEach(roomId: RoomId, messageFor: (viewer: UserId) => Message | null): void {
    for (const member of this.#rooms.get(roomId)?.group.members ?? []) {
      const message = messageFor(member.session.principal.userId);
      if (message) member.send(message);
    }
  }

  /** The feeds of the rooms held here. */
  feeds(): Feed[] {
    return [...this.#rooms.values()].map(({ feed }) => feed);
  }

  close(): void {
    for (const { feed } of this.#rooms.values()) feed.close();
  }

  /** Compares the due rooms held here with the database, in case their last event was lost. */
  async #compare(isDue: IsDue<RoomId>): Promise<void> {
    const due = [...this.#rooms].filter(([roomId]) => isDue(roomId));
    const held = due.map(([roomId, { epoch }]) => ({ roomId, epoch }));
    if (held.length === 0) return;
    for (const { roomId, epoch, number } of await this.#options.findNumbers(held)) {
      const room = this.#rooms.get(roomId);
      if (room?.epoch === epoch) room.feed.expectUpTo(number);
    }
  }

  #channelOf(roomId: RoomId): string {
    return `${this.#options.destination}/${roomId}`;
  }

  /** A seat of a gathering that is known to have ended is looked up again. */
  async #currentSeatOf(userId: UserId): Promise<Seat | null> {
    const seat = await this.#options.seats.seatOf(userId);
    const hasEnded = seat !== null && (this.#rooms.get(seat.roomId)?.epoch ?? 0) > seat.epoch;
    return hasEnded ? this.#options.seats.renew(userId) : seat;
  }

  async #enter(subscription: Subscription, seat: Seat | null, frame?: Frame): Promise<void> {
    this.#leave(subscription);
    const place: Place = { roomId: seat?.roomId ?? null };
    this.#places.set(subscription, place);
    if (!seat) return;
    const { group, epoch, feed } = this.#hold(seat);
    if (epoch > seat.epoch) {
      // The learner has moved on already: the database has the new seat.
      await this.#options.seats.renew(seat.userId);
      return;
    }
    await this.#options.pairs.ready(seat.userId);
    await this.#options.onEnter({
      subscription,
      seat,
      feed,
      frame,
      enter: (...first) => {
        if (this.#places.get(subscription) !== place) return;
        for (const message of first) subscription.send(message);
        group.add(subscription);
      },
    });
  }

  #move(userId: UserId, to: Seat | null): void {
    for (const session of this.#options.hub.sessionsOf(userId)) {
      for (const subscription of session.subscriptions.values()) {
        if (this.#places.has(subscription)) void this.#follow(subscription, to);
      }
    }
  }

  /** Moves a subscription, until that succeeds: there is no frame to answer with a failure. */
  async #follow(subscription: Subscription, to: Seat | null): Promise<void> {
    const entering = this.#enter(subscription, to);
    const place = this.#places.get(subscription);
    try {
      await entering;
    } catch (error) {
      this.#options.onFailure(error);
      const again = () => {
        if (place && this.#places.get(subscription) === place) void this.#follow(subscription, to);
      };
      setTimeout(again, FOLLOW_AGAIN_MS * (1 + Math.random())).unref();
    }
  }

  /** Two learners begin or cease to see each other: in a shared room, delivered messages are replaced. */
  async #showAgain(userId: UserId, otherId: UserId): Promise<void> {
    const { hub, seats } = this.#options;
    if (!hub.isConnected(userId)) return;
    const [own, others] = await Promise.all([seats.seatOf(userId), seats.confirmedSeatOf(otherId)]);
    if (own !== null && own.roomId === others?.roomId) this.#move(userId, own);
  }

  /** Counts one more subscription; the feed belongs to the newest known gathering. */
  #hold({ roomId, epoch }: Seat): HeldRoom<Feed> {
    const room = this.#rooms.get(roomId) ?? this.#open({ roomId, epoch });
    room.subscriptions += 1;
    if (room.epoch < epoch) {
      room.feed.close();
      room.epoch = epoch;
      room.feed = this.#options.openFeed({ roomId, epoch });
    }
    return room;
  }

  #open({ roomId, epoch }: Gathering): HeldRoom<Feed> {
    const room: HeldRoom<Feed> = {
      group: new Group<Principal>(),
      subscriptions: 0,
      epoch,
      feed: this.#options.openFeed({ roomId, epoch }),
      stop: this.#options.backplane.subscribe(this.#channelOf(roomId), (events: readonly Event[]) =>
        room.feed.receive(events),
      ),
    };
    this.#rooms.set(roomId, room);
    return room;
  }

  #leave(subscription: Subscription): void {
    const roomId = this.#places.get(subscription)?.roomId ?? null;
    if (roomId === null) return;
    this.#places.set(subscription, { roomId: null });
    const room = this.#rooms.get(roomId);
    if (!room) return;
    room.group.remove(subscription);
    room.subscriptions -= 1;
    if (room.subscriptions > 0) return;
    this.#rooms.delete(roomId);
    room.stop();
    room.feed.close();
  }
}

/** Throws unless the room of a destination, if it names one, is the learner's own. */
function assertOwnRoom(pathRoomId: string | null, seat: Seat | null): void {
  if (pathRoomId !== null && Number(pathRoomId) !== seat?.roomId)
    throw new ApiError('notInThisRoom');
}
