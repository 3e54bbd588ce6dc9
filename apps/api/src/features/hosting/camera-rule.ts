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

/** A warning of a learner who shows no camera. */
interface Warning {
  /** In ms of the clock, later by each break since: breaks do not count. */
  readonly atMs: number;
  /** Whether it was sent since the last break. */
  readonly isSent: boolean;
}

/**
 * In rooms that require it, a learner with the camera off or black is warned after `CAMERA_RULE.warnMs`, set
 * away after `awayMs`, and loses the seat after `leaveMs`; one who shows it again resumes (decision 084).
 */
export class CameraRule {
  readonly #parts: CameraRuleParts;
  /**
   * The warnings of this process, by seat. After a pause of the process, or the end of a sanction, a learner gets
   * a warning and time to act before any measure.
   */
  readonly #warnings = new Map<number, Warning>();
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
    const seen = new Set<number>();
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
    // Seats that were given up, or whose room has ended.
    for (const seatId of this.#warnings.keys()) {
      if (!seen.has(seatId)) this.#warnings.delete(seatId);
    }
  }

  async #checkRooms(
    roomIds: readonly RoomId[],
    nowMs: number,
    passedMs: number,
    seen: Set<number>,
  ): Promise<void> {
    const seats = await this.#findSeats(roomIds);
    const changes = seats
      .filter(({ isChanged }) => isChanged)
      .map(({ seat: { seatId }, cameraOffSince }) => ({ seatId, cameraOffSince }));
    if (changes.length > 0) await this.#parts.repository.note(changes);
    await forEachDue(seats, async (judged) => {
      const { seatId } = judged.seat;
      seen.add(seatId);
      const warning = await this.#judge(judged, nowMs, passedMs);
      if (warning) this.#warnings.set(seatId, warning);
      else this.#warnings.delete(seatId);
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
      const before = seat.cameraOffSince;
      const isOver = finding === 'shown' || finding === 'excused';
      const since = finding === 'missing' ? (before ?? clock.now()) : before;
      const cameraOffSince = isOver ? null : since;
      return { seat, finding, cameraOffSince, isChanged: cameraOffSince !== before };
    });
  }

  /** Takes the measure that is due. @returns the warning that the seat has from now on. */
  async #judge(
    { seat, finding, cameraOffSince }: JudgedSeat,
    nowMs: number,
    passedMs: number,
  ): Promise<Warning | undefined> {
    if (finding === 'shown' && seat.isAwayByCamera) await this.#follow(seat, true);
    if (cameraOffSince === null) return undefined;
    if (finding === 'missing') return this.#warn(seat, cameraOffSince.getTime(), nowMs);
    const warning = this.#warnings.get(seat.seatId);
    const isResting = finding === 'resting' && warning !== undefined;
    return isResting ? { atMs: warning.atMs + passedMs, isSent: false } : warning;
  }

  /** @returns the warning of the seat; undefined if it was not warned, or was given up. */
  async #warn(seat: RuledSeat, offSinceMs: number, nowMs: number): Promise<Warning | undefined> {
    const { warnMs, awayMs, leaveMs } = CAMERA_RULE;
    if (nowMs - offSinceMs < warnMs) return undefined;
    const before = this.#warnings.get(seat.seatId);
    if (!before?.isSent && !seat.isAwayByCamera) this.#send(seat, 'warned');
    const warning = { atMs: before?.atMs ?? nowMs, isSent: true };
    const warnedMs = nowMs - warning.atMs;
    if (warnedMs >= leaveMs - warnMs) {
      await this.#giveUp(seat);
      return undefined;
    }
    // Resuming without a camera gives the same minute again.
    const isLate = nowMs - seat.statusSince.getTime() >= awayMs;
    if (seat.status === 'focus' && isLate && warnedMs >= awayMs - warnMs) {
      await this.#follow(seat, false);
    }
    return warning;
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
