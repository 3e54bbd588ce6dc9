import { MINUTE_MS, type Notice, type RoomId, type UserId } from '@mogakgong/contract';
import { forEachDue, isDatabaseUnavailable } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { FocusService } from '../focus/index.ts';
import type { RoomCameras } from '../media/index.ts';
import type { Notices } from '../realtime/index.ts';
import type { RoomsService } from '../rooms/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import type { CameraRuleRepository, RuledSeat } from './camera-rule.repository.ts';

/**
 * In a room that requires the camera: how long it may be off, or its picture black, before a warning, before
 * focus becomes away, and before the seat is given up (decision 084).
 */
const CAMERA_RULE = {
  warnMs: 30_000,
  awayMs: MINUTE_MS,
  leaveMs: 10 * MINUTE_MS,
  /** How long the time without a camera is kept for another seat in the room. */
  keptMs: 10 * MINUTE_MS,
} as const;

export interface CameraRuleUses {
  readonly rooms: Pick<RoomsService, 'leave'>;
  readonly focus: Pick<FocusService, 'followCamera'>;
  readonly notices: Pick<Notices, 'send'>;
  /** The cameras shown in a room; null if the media server does not answer. */
  readonly findCameras: (roomId: RoomId) => Promise<RoomCameras | null>;
}

interface CameraRuleParts extends CameraRuleUses, Pick<AppContext, 'sanctions' | 'clock'> {
  readonly repository: CameraRuleRepository;
}

/** Rooms of one slice, which are requested from the media server at once. */
const ROOMS_AT_ONCE = 50;

/**
 * `unknown`: nothing is heard of the learner, which the rule of silences covers. `resting`: the time without a camera
 * stands still during a break. `excused`: it is not counted for a reason that is not the learner's.
 */
type Finding = 'shown' | 'missing' | 'resting' | 'excused' | 'unknown';
type Step = Extract<Notice, { kind: 'cameraRule' }>['step'];

function findingOf(seat: RuledSeat, cameras: RoomCameras | null, isKeptOff: boolean): Finding {
  const { seatId, status, isAwayByCamera, isPictureBlack, isHeard } = seat;
  const isAtRest = status === 'pause' || (status === 'away' && !isAwayByCamera);
  if (cameras === null || isKeptOff) return 'excused';
  if (cameras.shown.has(seatId) && !isPictureBlack) return 'shown';
  if (isAtRest) return 'resting';
  return isHeard || cameras.connected.has(seatId) ? 'missing' : 'unknown';
}

/** A seat as a check found it. */
interface JudgedSeat {
  readonly seat: RuledSeat;
  readonly finding: Finding;
  /** Since when the camera is off, to be stored if `isChanged`. */
  readonly cameraOffSince: Date | null;
  readonly isChanged: boolean;
}

/** A learner without a camera in a room, also over several seats there. */
interface Unshown {
  /** The last seat. */
  readonly seatId: number;
  /** Since when, in ms of the clock; later by the time between seats. */
  readonly offSinceMs: number;
  /** When they were warned, later by each break and by the time between seats; null before that. */
  readonly warnedAtMs: number | null;
  /** Whether the warning was sent since the last break, in this seat. */
  readonly isWarned: boolean;
  /** Whether they have taken another seat since: they have had the minutes that go with resuming. */
  readonly isBack: boolean;
  /** How long they have had no seat. */
  readonly goneMs: number;
}

const keyOf = ({ roomId, userId }: Pick<RuledSeat, 'roomId' | 'userId'>) => `${roomId} ${userId}`;

/** After a time that does not count. */
const later = (unshown: Unshown, passedMs: number): Unshown => ({
  ...unshown,
  warnedAtMs: unshown.warnedAtMs === null ? null : unshown.warnedAtMs + passedMs,
  isWarned: false,
});

/**
 * In rooms that require it, a learner with the camera off or black is warned after `CAMERA_RULE.warnMs`, set
 * away after `awayMs`, and loses the seat after `leaveMs`; one who shows it again resumes (decision 084).
 */
export class CameraRule {
  readonly #parts: CameraRuleParts;
  /**
   * Learners without a camera, by `keyOf`. After a pause of the process, or the end of a sanction, they get
   * a warning and time to act before any measure.
   */
  readonly #unshown = new Map<string, Unshown>();
  #checkedAtMs = 0;

  constructor(parts: CameraRuleParts) {
    this.#parts = parts;
  }

  /**
   * Stores a page's report about its own picture. The media server does not decode pictures; a page that lies
   * gains no more than by showing an empty chair.
   * @throws ApiError `notSeated`.
   */
  async reportPicture(userId: UserId, roomId: RoomId, isBlack: boolean): Promise<void> {
    const isSeated = await this.#parts.repository.notePicture(userId, roomId, isBlack);
    if (!isSeated) throw new ApiError('notSeated');
  }

  /** Repeated: checks the cameras of every room with the rule, a slice of rooms after the other. */
  async check(): Promise<void> {
    const { repository, clock } = this.#parts;
    const now = clock.now();
    const passedMs = now.getTime() - this.#checkedAtMs;
    this.#checkedAtMs = now.getTime();
    const seen = new Set<string>();
    // Slices are independent: one that fails is reported when all others are done.
    const failures: unknown[] = [];
    let after: RoomId | null = null;
    do {
      const roomIds: RoomId[] = await repository.findRooms(after, ROOMS_AT_ONCE);
      after = roomIds.length === ROOMS_AT_ONCE ? (roomIds.at(-1) ?? null) : null;
      await this.#checkRooms(roomIds, now.getTime(), passedMs, seen).catch((error: unknown) => {
        if (isDatabaseUnavailable(error)) throw error;
        failures.push(error);
      });
    } while (after !== null);
    if (failures.length > 0) throw failures[0];
    for (const [key, unshown] of this.#unshown) {
      if (seen.has(key)) continue;
      const [offSinceMs, goneMs] = [unshown.offSinceMs + passedMs, unshown.goneMs + passedMs];
      if (goneMs > CAMERA_RULE.keptMs) this.#unshown.delete(key);
      else this.#unshown.set(key, { ...later(unshown, passedMs), offSinceMs, goneMs });
    }
  }

  async #checkRooms(
    roomIds: readonly RoomId[],
    nowMs: number,
    passedMs: number,
    seen: Set<string>,
  ): Promise<void> {
    const seats = await this.#findSeats(roomIds);
    const changes = seats
      .filter(({ isChanged }) => isChanged)
      .map(({ seat: { seatId }, cameraOffSince }) => ({ seatId, cameraOffSince }));
    if (changes.length > 0) await this.#parts.repository.note(changes);
    await forEachDue(seats, async (judged) => {
      const key = keyOf(judged.seat);
      seen.add(key);
      const unshown = await this.#judge(judged, nowMs, passedMs);
      if (unshown) this.#unshown.set(key, unshown);
      else this.#unshown.delete(key);
    });
  }

  async #findSeats(roomIds: readonly RoomId[]): Promise<JudgedSeat[]> {
    const { repository, findCameras, sanctions, clock } = this.#parts;
    const seats = await repository.findSeats(roomIds, clock.now());
    const cameras = new Map<RoomId, RoomCameras | null>();
    await forEachDue(
      new Set(seats.map(({ roomId }) => roomId)),
      async (roomId) => cameras.set(roomId, await findCameras(roomId)),
      ROOMS_AT_ONCE,
    );
    return seats.map((seat) => {
      const isKeptOff = Boolean(sanctions.inForce.find(seat.userId, 'cameraOff'));
      const finding = findingOf(seat, cameras.get(seat.roomId) ?? null, isKeptOff);
      const ofSeatBefore = this.#unshown.get(keyOf(seat))?.offSinceMs;
      const before =
        seat.cameraOffSince ?? (ofSeatBefore === undefined ? null : new Date(ofSeatBefore));
      const isOver = finding === 'shown' || finding === 'excused';
      const since = finding === 'missing' ? (before ?? clock.now()) : before;
      const cameraOffSince = isOver ? null : since;
      return { seat, finding, cameraOffSince, isChanged: cameraOffSince !== seat.cameraOffSince };
    });
  }

  /** Takes the measure that is due. @returns the learner's record from now on; undefined if they show the camera. */
  async #judge(
    { seat, finding, cameraOffSince }: JudgedSeat,
    nowMs: number,
    passedMs: number,
  ): Promise<Unshown | undefined> {
    if (finding === 'shown' && seat.isAwayByCamera) await this.#follow(seat, true);
    if (cameraOffSince === null) return undefined;
    const unshown = this.#inSeat(seat, cameraOffSince.getTime(), nowMs);
    if (finding === 'missing') return this.#warn(seat, unshown, nowMs);
    return finding === 'resting' ? later(unshown, passedMs) : unshown;
  }

  /** The learner's record in this seat. In another seat they are warned again before they lose it. */
  #inSeat({ seatId, ...seat }: RuledSeat, offSinceMs: number, nowMs: number): Unshown {
    const { leaveMs, warnMs } = CAMERA_RULE;
    const known = this.#unshown.get(keyOf(seat));
    if (known?.seatId === seatId) return { ...known, offSinceMs };
    const first = { seatId, offSinceMs, isWarned: false, goneMs: 0 };
    if (!known) return { ...first, warnedAtMs: null, isBack: false };
    const warnedAtMs =
      known.warnedAtMs && Math.max(known.warnedAtMs, nowMs - (leaveMs - warnMs) + warnMs);
    return { ...first, warnedAtMs, isBack: true };
  }

  async #warn(seat: RuledSeat, unshown: Unshown, nowMs: number): Promise<Unshown> {
    const { warnMs, awayMs, leaveMs } = CAMERA_RULE;
    if (nowMs - unshown.offSinceMs < warnMs) return unshown;
    if (!unshown.isWarned && !seat.isAwayByCamera) this.#send(seat, 'warned');
    const warnedAtMs = unshown.warnedAtMs ?? nowMs;
    const warned = { ...unshown, warnedAtMs, isWarned: true };
    const warnedMs = nowMs - warnedAtMs;
    if (warnedMs >= leaveMs - warnMs) {
      await this.#giveUp(seat);
      return warned;
    }
    // Resuming without a camera gives the same minute again, but no other seat does.
    const isLate = unshown.isBack || nowMs - seat.statusSince.getTime() >= awayMs;
    if (seat.status === 'focus' && isLate && warnedMs >= awayMs - warnMs) {
      await this.#follow(seat, false);
    }
    return warned;
  }

  async #follow(seat: RuledSeat, isShown: boolean): Promise<void> {
    const isChanged = await this.#parts.focus.followCamera(seat, isShown);
    if (isChanged) this.#send(seat, isShown ? 'back' : 'away');
  }

  async #giveUp({ userId, seatId, roomId }: RuledSeat): Promise<void> {
    // The reason is sent first: it must arrive before the loss of the seat.
    this.#parts.notices.send(userId, { kind: 'seatLost', roomId, reason: 'cameraOff' });
    await this.#parts.rooms.leave(userId, seatId);
  }

  #send({ userId, roomId, isPictureBlack: isBlack }: RuledSeat, step: Step): void {
    this.#parts.notices.send(userId, { kind: 'cameraRule', roomId, step, isBlack });
  }
}
