import {
  destinations,
  type PresenceChange,
  type PresenceMessage,
  type RoomId,
  type UserId,
} from '@mogakgong/contract';
import type { Message } from '@mogakgong/stomp';
import { arrivalBatches, createBatcher } from '../../platform/batch/index.ts';
import type { BlockedPairs } from '../blocks/index.ts';
import type { FocusService, SeatLife } from '../focus/index.ts';
import type { HostingService } from '../hosting/index.ts';
import type { PomodoroService } from '../pomodoro/index.ts';
import { jsonMessage, type RealtimeHub, RoomTopic, type SeatWatch } from '../realtime/index.ts';
import type { RoomsService, RosterEvent, Seat } from '../rooms/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import type { UsersService } from '../users/index.ts';
import { findDetails, type MemberDetails, memberOf, membersOf } from './member-details.ts';
import { learnersShownBy, presenceFor } from './presence-for.ts';
import { type NumberedChange, type RoomSnapshot, RosterFeed } from './roster-feed.ts';

const BATCH_SIZE = 500;

export interface PresenceUses {
  readonly hub: RealtimeHub;
  readonly seats: SeatWatch;
  readonly pairs: BlockedPairs;
  readonly rooms: RoomsService;
  readonly users: UsersService;
  readonly focus: FocusService;
  readonly seatLife: SeatLife;
  readonly pomodoro: PomodoroService;
  readonly hosting: HostingService;
}

/** The members of a room and their states, for everybody in it. */
export function createPresence(context: AppContext, uses: PresenceUses): PresenceService {
  return new PresenceService({ ...context, ...uses });
}

/** A seated learner. */
interface Seated extends Pick<Seat, 'userId' | 'roomId' | 'isConnected'> {
  readonly details: MemberDetails;
}

/**
 * `/topic/presence`: the members of the room and their states; a snapshot, then every change by its number.
 */
class PresenceService {
  readonly #parts: AppContext & PresenceUses;
  readonly #topic: RoomTopic<NumberedChange, RosterFeed>;
  readonly #loadMembers: (roomId: RoomId) => Promise<RoomSnapshot | null>;
  readonly #loadDetails: (userId: UserId) => Promise<MemberDetails | undefined>;
  readonly #loadSeated: (userId: UserId) => Promise<Seated | undefined>;

  constructor(parts: AppContext & PresenceUses) {
    this.#parts = parts;
    const { rooms, focus, pomodoro, hosting, logger } = parts;
    const onFailure = (error: unknown) => logger.error({ err: error }, 'presence failed');
    this.#loadMembers = createBatcher(
      (roomIds) => this.#loadRooms(roomIds),
      BATCH_SIZE,
      arrivalBatches,
    );
    this.#loadDetails = createBatcher(async (userIds) => {
      const details = await findDetails(this.#parts, userIds);
      return userIds.map((userId) => details.get(userId));
    }, BATCH_SIZE);
    this.#loadSeated = createBatcher((userIds) => this.#findSeated(userIds), BATCH_SIZE);
    this.#topic = new RoomTopic<NumberedChange, RosterFeed>({
      ...parts,
      destination: destinations.presence,
      openFeed: ({ roomId }) => this.#openFeed(roomId),
      onEnter: ({ seat, feed, enter }) =>
        feed.giveSnapshot((message) => enter(toMessage(this.#messageFor(seat.userId, message)))),
      findNumbers: (gatherings) => rooms.findRosterNumbers(gatherings.map(({ roomId }) => roomId)),
      onFailure,
    });
    rooms.onRoster((event) => this.#announce(event).catch(onFailure));
    focus.onClock(({ roomId, number, userId, clock, goal, subject }) => {
      const shown = { clock, ...(goal && { goal }), ...(subject && { subject }) };
      this.#topic.publish(roomId, [{ number, change: { type: 'clock', userId, ...shown } }]);
    });
    pomodoro.onChange(({ roomId, number, userId, schedule, atMs }) => {
      const change = { type: 'pomodoro' as const, userId, schedule, atMs };
      this.#topic.publish(roomId, [{ number, change }]);
    });
    hosting.onNewHost(({ roomId, number, userId }) =>
      this.#topic.publish(roomId, [{ number, change: { type: 'host', userId } }]),
    );
  }

  close(): void {
    this.#topic.close();
  }

  /** Publishes a change made by this process. */
  async #announce(event: RosterEvent): Promise<void> {
    const change = await this.#changeOf(event);
    this.#topic.publish(event.roomId, [{ number: event.number, change }]);
  }

  async #changeOf({ type, userId, roomId }: RosterEvent): Promise<PresenceChange> {
    // The seat is new, so its place and state are known.
    if (type === 'joined') {
      const details = await this.#loadDetails(userId);
      return details
        ? { type, member: memberOf({ userId, isConnected: true }, details) }
        : { type: 'left', userId };
    }
    if (type !== 'updated') return { type, userId };
    const seated = await this.#loadSeated(userId);
    // Left again already: a later change reports it.
    if (seated?.roomId !== roomId) return { type: 'left', userId };
    return { type, member: memberOf(seated, seated.details) };
  }

  #openFeed(roomId: RoomId): RosterFeed {
    const { clock, logger } = this.#parts;
    return new RosterFeed({
      roomId,
      publish: (message) => {
        this.#topic.deliver(roomId, toMessage(message), learnersShownBy(message), (viewer) =>
          toMessage(this.#messageFor(viewer, message)),
        );
        if (message.kind !== 'change' || message.change.type !== 'connectionLost') return;
        this.#parts.seatLife.correctLost(message.change.userId);
      },
      loadSnapshot: () => this.#loadMembers(roomId),
      nowMs: () => clock.now().getTime(),
      onFailure: (error) => logger.error({ err: error, roomId }, 'could not load a roster'),
    });
  }

  #messageFor(viewer: UserId, message: PresenceMessage): PresenceMessage {
    return presenceFor(this.#parts.pairs.of(viewer), message);
  }

  async #loadRooms(roomIds: readonly RoomId[]) {
    const rosters = new Map(
      (await this.#parts.rooms.findRosters([...new Set(roomIds)])).map((room) => [
        room.roomId,
        room,
      ]),
    );
    const userIds = [...rosters.values()].flatMap(({ members }) => members.map((m) => m.userId));
    const [details, schedules, abouts] = await Promise.all([
      findDetails(this.#parts, userIds),
      this.#parts.pomodoro.findSchedules([...rosters.keys()]),
      this.#parts.hosting.findAbouts([...rosters.keys()]),
    ]);
    return roomIds.map((roomId): RoomSnapshot | null => {
      const roster = rosters.get(roomId);
      if (!roster) return null;
      const [pomodoro, about] = [schedules.get(roomId), abouts.get(roomId)];
      const members = membersOf(roster, details);
      const extras = { ...(pomodoro && { pomodoro }), ...(about && { about }) };
      return { number: roster.number, members, ...extras };
    });
  }

  async #findSeated(userIds: readonly UserId[]): Promise<(Seated | undefined)[]> {
    const seats = await this.#parts.rooms.findSeats([...new Set(userIds)]);
    const found = await findDetails(this.#parts, [...seats.keys()]);
    return userIds.map((userId) => {
      const [seat, details] = [seats.get(userId), found.get(userId)];
      return seat && details && { ...seat, details };
    });
  }
}

function toMessage(message: PresenceMessage): Message {
  return jsonMessage(`presence-${message.roomId}-${message.number}`, message);
}
