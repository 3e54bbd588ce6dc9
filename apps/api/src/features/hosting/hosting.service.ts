import { randomBytes } from 'node:crypto';
import {
  CLOSED_ROOM_KEPT_DAYS,
  isRoomGoal,
  isRoomName,
  MINUTE_MS,
  type RoomAbout,
  type RoomCard,
  type RoomId,
  type RoomPlan,
  roomText,
  type UserId,
} from '@mogakgong/contract';
import { brokenUniqueName, forEachDue, isForeignKeyBroken } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { Notices } from '../realtime/index.ts';
import type { RoomsService, SeatChange } from '../rooms/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import type { GroupRoomsRepository } from './group-rooms.repository.ts';
import type { HostingRepository, RoomQuery } from './hosting.repository.ts';
import type { RoomEndsRepository } from './room-ends.repository.ts';

/** A room ends after being empty for this long (decision 068). */
const EMPTY_MS = 10 * MINUTE_MS;
/** A host without a seat in the room loses the rights after this time, equal to that of a silent seat. */
const HOST_ABSENT_MS = 10 * MINUTE_MS;
/** Closed rooms are checked for this long for seats left behind by a killed process. */
const CLOSED_LATELY_MS = 60 * MINUTE_MS;
const CLOSED_KEPT_MS = CLOSED_ROOM_KEPT_DAYS * 24 * 60 * MINUTE_MS;
/** 144 bits: a link cannot be guessed. */
const INVITATION_BYTES = 18;

export interface HostingUses {
  readonly rooms: RoomsService;
  readonly notices: Notices;
}

/** With `clock` for stored times. */
interface HostingParts extends AppContext, HostingUses {
  readonly repository: HostingRepository;
  readonly ends: RoomEndsRepository;
  readonly groupRooms: GroupRoomsRepository;
}

export const newInvitation = () => randomBytes(INVITATION_BYTES).toString('base64url');

/** Refuses two concurrent openings, and rights for the host of another room. */
export function refuseSecondRoom(error: unknown): never {
  if (brokenUniqueName(error) !== 'hosted_room_host_open') throw error;
  throw new ApiError('roomOpenAlready', { cause: error });
}

/** Rooms that learners open: the rights of hosts, and the ends of rooms (decision 068). */
export class HostingService {
  readonly #parts: HostingParts;
  readonly #listeners: ((change: SeatChange) => void)[] = [];
  readonly findOpen: (roomId: RoomId) => Promise<RoomCard | null>;
  readonly findAbouts: (roomIds: readonly RoomId[]) => Promise<ReadonlyMap<RoomId, RoomAbout>>;

  constructor(parts: HostingParts) {
    this.#parts = parts;
    const { repository } = parts;
    this.findOpen = repository.findOpen;
    this.findAbouts = repository.findAbouts;
  }

  /** Calls `listener` when the rights of a room have passed on. */
  onNewHost(listener: (change: SeatChange) => void): void {
    this.#listeners.push(listener);
  }

  /** @throws ApiError `textMuted`, `roomTextMalformed` or `roomOpenAlready`. */
  async open(hostId: UserId, plan: RoomPlan): Promise<RoomId> {
    const { env, repository, sanctions, clock } = this.#parts;
    sanctions.inForce.refuseMuted(hostId, 'textMuted');
    const [name, goal] = [roomText(plan.name), roomText(plan.goal)];
    if (!isRoomName(name) || !isRoomGoal(goal)) throw new ApiError('roomTextMalformed');
    const capacity = Math.min(plan.capacity, env.ROOM_CAPACITY);
    const room = { ...plan, name, goal, capacity, hostId, invitation: newInvitation() };
    return repository.open({ ...room, now: clock.now() }).catch((error: unknown) => {
      if (isForeignKeyBroken(error)) throw new ApiError('userNotFound', { cause: error });
      return refuseSecondRoom(error);
    });
  }

  /** A page of the public rooms, and the caller's own open room. */
  async list(userId: UserId, query: RoomQuery) {
    const { repository } = this.#parts;
    const [found, own] = await Promise.all([
      repository.findPublic(userId, { ...query, text: roomText(query.text ?? '') }),
      repository.findOpenOf(userId),
    ]);
    return { ...found, own };
  }

  /**
   * The open room of an invitation link.
   * @throws ApiError `invitationEnded` for a closed room or a renewed link.
   */
  async invitedTo(invitation: string): Promise<RoomCard> {
    const room = await this.#parts.repository.findByInvitation(invitation);
    if (room === null) throw new ApiError('invitationEnded');
    return room;
  }

  /** @throws ApiError `notHost`. */
  async assertHost(hostId: UserId, roomId: RoomId): Promise<void> {
    await this.#findHosting(hostId, roomId);
  }

  /** @throws ApiError `notHost`. */
  async invitationOf(hostId: UserId, roomId: RoomId): Promise<string> {
    const invitation = await this.#parts.repository.findInvitation(hostId, roomId);
    if (invitation === null) throw new ApiError('notHost');
    return invitation;
  }

  /**
   * Replaces the link; seated and admitted learners stay.
   * @throws ApiError `notHost`.
   */
  async renewInvitation(hostId: UserId, roomId: RoomId): Promise<void> {
    await this.assertHost(hostId, roomId);
    await this.#parts.repository.replaceInvitation(hostId, roomId, newInvitation());
  }

  /** @throws ApiError `notHost`, `cannotRemoveYourself` or `userNotFound`. */
  async remove(hostId: UserId, roomId: RoomId, userId: UserId): Promise<void> {
    const { repository, clock } = this.#parts;
    const hosting = await this.#findHosting(hostId, roomId);
    if (userId === hostId) throw new ApiError('cannotRemoveYourself');
    // Of the room of a group only the seat is lost: its members stay members.
    if (hosting === 'group') return this.freeSeat(roomId, userId, 'removed');
    const isStillHost = await repository
      .keepOut(hostId, roomId, userId, clock.now())
      .catch((error: unknown) => {
        throw isForeignKeyBroken(error) ? new ApiError('userNotFound', { cause: error }) : error;
      });
    if (!isStillHost) throw new ApiError('notHost');
    await this.freeSeat(roomId, userId, 'removed');
  }

  /** @throws ApiError `notHost`, `hostNotSeated`, or `roomOpenAlready` if the learner hosts another room. */
  async handOver(hostId: UserId, roomId: RoomId, newHostId: UserId): Promise<void> {
    if ((await this.#findHosting(hostId, roomId)) === 'group') throw new ApiError('notHost');
    const change = await this.#parts.repository
      .handOver(hostId, roomId, newHostId)
      .catch(refuseSecondRoom);
    if (change === null) throw new ApiError('hostNotSeated');
    this.announce(change);
  }

  /** A host's invitation admits a learner to a room of an evening; any other changes nothing. */
  async admit(hostId: UserId, roomId: RoomId, userId: UserId): Promise<void> {
    const { repository, clock } = this.#parts;
    await repository.admit(hostId, roomId, userId, clock.now());
  }

  /**
   * Ends a room; nobody can enter it from then on, and everybody leaves.
   * @throws ApiError `notHost`.
   */
  async close(hostId: UserId, roomId: RoomId): Promise<void> {
    const { ends, clock } = this.#parts;
    if (!(await ends.close(hostId, roomId, clock.now()))) throw new ApiError('notHost');
    await this.emptyClosed(roomId);
  }

  /**
   * Repeated: passes on the rights of absent hosts, ends empty rooms, and frees seats that a killed process
   * left in a closed room or for a removed learner.
   */
  async sweep(): Promise<void> {
    const { ends, groupRooms, clock } = this.#parts;
    const now = clock.now();
    const ago = (ms: number) => new Date(now.getTime() - ms);
    await ends.noteAbsences(now);
    await ends.closeEmpty(ago(EMPTY_MS), now);
    await forEachDue(await ends.findHostless(ago(HOST_ABSENT_MS)), async (roomId) => {
      const change = await ends.passOn(roomId, ago(HOST_ABSENT_MS));
      if (change) this.announce(change);
    });
    const leavers = await ends.findLeavers(ago(CLOSED_LATELY_MS));
    const closed = new Set(leavers.filter((each) => each.isClosed).map(({ roomId }) => roomId));
    const removed = leavers.filter((each) => !each.isClosed);
    await forEachDue(closed, (roomId) => this.emptyClosed(roomId));
    await forEachDue(removed, ({ roomId, userId }) => this.freeSeat(roomId, userId, 'removed'));
    await groupRooms.forgetExcluded();
  }

  /** Repeated: deletes the data of rooms that ended long ago. */
  async deleteOld(): Promise<void> {
    const { ends, clock } = this.#parts;
    await ends.deleteOld(new Date(clock.now().getTime() - CLOSED_KEPT_MS));
  }

  /** Repeated: the leader of a group seated longest in its room is the host there. */
  async settleGroupHosts(): Promise<void> {
    for (const change of await this.#parts.groupRooms.settleHosts()) this.announce(change);
  }

  /** Tells everybody in a room of its new host. */
  announce(change: SeatChange): void {
    for (const listener of this.#listeners) listener(change);
  }

  /**
   * The kind of the room that the learner hosts there.
   * @throws ApiError `notHost`.
   */
  async #findHosting(hostId: UserId, roomId: RoomId): Promise<'evening' | 'group'> {
    const hosting = await this.#parts.repository.findHosting(hostId, roomId);
    if (hosting === null) throw new ApiError('notHost');
    return hosting;
  }

  /**
   * Frees the seats of a closed room. The reason is sent first: it must arrive before the loss of the seat.
   */
  async emptyClosed(roomId: RoomId): Promise<void> {
    const { rooms, notices } = this.#parts;
    const [roster] = await rooms.findRosters([roomId]);
    for (const { userId } of roster?.members ?? []) {
      notices.send(userId, { kind: 'seatLost', roomId, reason: 'closed' });
    }
    await rooms.empty(roomId);
  }

  /** Frees the seat of a learner, if they sit in that room; without a reason they left it themselves. */
  async freeSeat(roomId: RoomId, userId: UserId, reason: 'removed' | null): Promise<void> {
    const { rooms, notices } = this.#parts;
    const seat = await rooms.findSeat(userId);
    if (seat?.roomId !== roomId) return;
    if (reason) notices.send(userId, { kind: 'seatLost', roomId, reason });
    await rooms.leave(userId, seat.id);
  }
}
