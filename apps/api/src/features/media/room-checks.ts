import { setTimeout as delay } from 'node:timers/promises';
import { mediaIdentity, type RoomId } from '@mogakgong/contract';
import { type ParticipantInfo, type RoomServiceClient, TrackSource } from 'livekit-server-sdk';
import { forEachDue } from '../../platform/database/index.ts';
import type { SilentSeat } from '../rooms/index.ts';
import { type ConnectionTest, connectionTestOf, hasEnded } from './connection-test.ts';
import type { MediaParts } from './media.service.ts';
import type { MediaServer } from './media-servers.ts';
import { isAt, type Place, placeOf, roomIdOf } from './place.ts';
import { type TrackFault, trackFault } from './track-rules.ts';

/** Maximum number of steps of a reconciliation round, for any number of rooms: five minutes. */
const ROUND_STEPS = 10;
/** Minimum number of rooms in one step of the reconciliation. */
const RECONCILED_AT_ONCE = 50;
/** Rooms that are requested from the media server at once. */
const ASKED_AT_ONCE = 50;
/**
 * Longer than the interval of signs of life from a realtime connection, shorter than a silence that counts as
 * away.
 */
const SILENT_AFTER_MS = 50_000;
/** A camera that is published again may overlap with its earlier publication. */
const OVERLAP_MS = 1_000;

type RoomChecksParts = Pick<MediaParts, 'servers' | 'rooms' | 'sanctions' | 'logger'>;

/** A running check, and the one that follows it. */
interface Check {
  readonly done: Promise<void>;
  next: Promise<void> | null;
}

/** The seats of a room connected to the media server, and those of them that show a camera. */
export interface RoomCameras {
  readonly connected: ReadonlySet<number>;
  readonly shown: ReadonlySet<number>;
}

/** Since this process started: participants removed without a seat, and visits ended, by fault. */
export type Removals = Record<'notSeated' | TrackFault, number>;

/**
 * Compares the participants of a room of the media server with its seats. A check queries the present state
 * of both, so it does not matter which event caused it, how late, or how often.
 */
export class RoomChecks {
  readonly #parts: RoomChecksParts;
  readonly #nextSilent: () => Promise<readonly SilentSeat[]>;
  readonly #underWay = new Map<RoomId, Check>();
  /** Rooms that this round of the reconciliation has yet to check. */
  #unchecked: RoomId[] = [];
  readonly removals: Removals = { notSeated: 0, notCamera: 0, tooLarge: 0, tooMany: 0 };

  constructor(parts: RoomChecksParts) {
    this.#parts = parts;
    this.#nextSilent = parts.rooms.createSilenceSweep(SILENT_AFTER_MS);
  }

  /**
   * Removes participants without a seat there in this visit, ends the visit of a learner who publishes
   * anything but one camera, withdraws cameras that a sanction keeps off, and records proof of life of the
   * others. If the room is being checked, it is checked again.
   */
  check(roomId: RoomId): Promise<void> {
    const running = this.#underWay.get(roomId);
    if (!running) return this.#start(roomId);
    running.next ??= running.done.then(
      () => this.#start(roomId),
      () => this.#start(roomId),
    );
    return running.next;
  }

  /**
   * Ends the visit of a learner for what they publish: their tokens are void until they enter again. Tokens
   * first: a participant removed earlier could join again.
   */
  async endVisit({ roomId, userId, seatId }: Place, fault: TrackFault): Promise<void> {
    const { logger, rooms, sanctions } = this.#parts;
    logger.warn({ roomId, userId, fault }, 'a learner publishes what is not allowed');
    this.removals[fault] += 1;
    const hadSeat = await rooms.leave(userId, seatId);
    const server = await this.#parts.servers.of(roomId);
    if (server) await this.#remove(server.client, roomId, mediaIdentity(userId, seatId));
    // Other faults may come from an unusual camera; our pages never cause this one.
    if (hadSeat && fault === 'notCamera') await sanctions.sanctionSound({ userId, roomId });
  }

  /**
   * Repeated: ends expired connection tests, and takes one step of a slow round over the rooms of learners,
   * for lost events. A larger site makes steps larger, but never more concurrent.
   */
  async reconcile(): Promise<void> {
    const living = this.#parts.servers.all.filter(({ isUp }) => isUp);
    const listed = await Promise.allSettled(living.map((server) => this.#listRooms(server)));
    const roomIds = listed.flatMap((rooms) => (rooms.status === 'fulfilled' ? rooms.value : []));
    if (this.#unchecked.length === 0) this.#unchecked = roomIds;
    const step = Math.max(RECONCILED_AT_ONCE, Math.ceil(roomIds.length / ROUND_STEPS));
    await this.#checkAll(this.#unchecked.splice(0, step));
    const failed = listed.find((rooms) => rooms.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** The rooms of a server that are its own; ends expired tests, and rooms that have moved to another server. */
  async #listRooms(server: MediaServer): Promise<readonly RoomId[]> {
    const { client } = server;
    const names = (await client.listRooms()).map(({ name }) => name);
    const tests = names.flatMap((name) => connectionTestOf(name) ?? []);
    await forEachDue(tests.filter(hasEnded), (test) => this.endTest(test), ASKED_AT_ONCE);
    const { own, others } = await this.#parts.servers.sort(server, names.flatMap(roomIdOf));
    const end = (roomId: RoomId) =>
      client.deleteRoom(String(roomId)).catch((error: unknown) => {
        this.#parts.logger.debug({ err: error, roomId }, 'no room to end');
      });
    await forEachDue(others, end, ASKED_AT_ONCE);
    return own;
  }

  /** Ends a connection test and removes its participant. Never rejects. */
  async endTest({ name, serverId }: ConnectionTest): Promise<void> {
    const server = this.#parts.servers.find(serverId);
    await server?.client.deleteRoom(name).catch((error: unknown) => {
      this.#parts.logger.debug({ err: error, name }, 'no connection test to end');
    });
  }

  /** The cameras shown in a room; null if the media server does not answer. */
  async findCameras(roomId: RoomId): Promise<RoomCameras | null> {
    try {
      const server = await this.#parts.servers.of(roomId);
      if (!server?.isUp) return null;
      const participants = await server.client.listParticipants(String(roomId));
      const seatsOf = (present: readonly ParticipantInfo[]) =>
        new Set(present.flatMap(({ identity }) => placeOf(String(roomId), identity)?.seatId ?? []));
      const showing = participants.filter(({ tracks }) =>
        tracks.some(({ source, muted }) => source === TrackSource.CAMERA && !muted),
      );
      return { connected: seatsOf(participants), shown: seatsOf(showing) };
    } catch (error) {
      this.#parts.logger.warn({ err: error, roomId }, 'could not look for cameras');
      return null;
    }
  }

  /** Repeated: looks for proof of life of learners without it from a realtime connection. */
  async checkSilent(): Promise<void> {
    const silentRooms = new Set((await this.#nextSilent()).map(({ roomId }) => roomId));
    await this.#checkAll(silentRooms);
  }

  #checkAll(roomIds: Iterable<RoomId>): Promise<void> {
    return forEachDue(roomIds, (roomId) => this.check(roomId), ASKED_AT_ONCE);
  }

  #start(roomId: RoomId): Promise<void> {
    const done = this.#compare(roomId).finally(() => {
      if (check.next === null) this.#underWay.delete(roomId);
    });
    const check: Check = { done, next: null };
    this.#underWay.set(roomId, check);
    return done;
  }

  async #compare(roomId: RoomId): Promise<void> {
    const { rooms, servers } = this.#parts;
    const server = await servers.of(roomId);
    if (!server?.isUp) return;
    const { client } = server;
    const participants = await client.listParticipants(String(roomId));
    if (participants.length === 0) return;
    const places = participants.map((participant) => placeOf(String(roomId), participant.identity));
    // Read after the participants: their seats were taken before they joined.
    const seats = await rooms.findSeats(places.flatMap((place) => place?.userId ?? []));
    const seen = await Promise.all(
      participants.map(async (participant, index) => {
        const place = places[index];
        const isSeated = place && isAt(seats.get(place.userId), place);
        if (!isSeated) await this.#removeUnseated(client, roomId, participant.identity);
        return isSeated && (await this.#mayStay(client, place, participant)) ? place.userId : [];
      }),
    );
    await rooms.recordSeen(seen.flat());
  }

  async #mayStay(
    client: RoomServiceClient,
    place: Place,
    participant: ParticipantInfo,
  ): Promise<boolean> {
    await this.#setCamera(client, place, participant);
    const { identity, tracks } = participant;
    let fault = trackFault(tracks);
    if (fault === 'tooMany') fault = await faultAfterOverlap(client, place.roomId, identity);
    if (fault !== null) await this.endVisit(place, fault);
    return fault === null;
  }

  /** Allows a camera, or withdraws it: the media server then ends its publication. */
  async #setCamera(
    client: RoomServiceClient,
    { roomId, userId }: Place,
    participant: ParticipantInfo,
  ): Promise<void> {
    const { identity, permission } = participant;
    const canPublish = !this.#parts.sanctions.inForce.find(userId, 'cameraOff');
    if (!permission || permission.canPublish === canPublish) return;
    await client.updateParticipant(String(roomId), identity, {
      permission: { ...permission, canPublish },
    });
    this.#parts.logger.info({ roomId, identity, canPublish }, 'changed what a participant may do');
  }

  async #removeUnseated(
    client: RoomServiceClient,
    roomId: RoomId,
    identity: string,
  ): Promise<void> {
    if (!(await this.#remove(client, roomId, identity))) return;
    this.removals.notSeated += 1;
    this.#parts.logger.info({ roomId, identity }, 'removed a participant without a seat');
  }

  /** False if there was no participant to remove. */
  async #remove(client: RoomServiceClient, roomId: RoomId, identity: string): Promise<boolean> {
    try {
      await client.removeParticipant(String(roomId), identity);
      return true;
    } catch (error) {
      // Usually the browser has just disconnected by itself.
      this.#parts.logger.debug({ err: error, roomId, identity }, 'no participant to remove');
      return false;
    }
  }
}

async function faultAfterOverlap(
  client: RoomServiceClient,
  roomId: RoomId,
  identity: string,
): Promise<TrackFault | null> {
  await delay(OVERLAP_MS);
  const participants = await client.listParticipants(String(roomId));
  return trackFault(participants.find((other) => other.identity === identity)?.tracks ?? []);
}
