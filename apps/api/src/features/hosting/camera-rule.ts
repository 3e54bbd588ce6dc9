import { CAMERA_RULE, type RoomId } from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import type { Notices } from '../realtime/index.ts';
import type { RoomsService } from '../rooms/index.ts';
import type { SanctionsService } from '../sanctions/index.ts';
import type { CameraOff, CameraRuleRepository } from './camera-rule.repository.ts';

interface CameraRuleParts {
  readonly repository: CameraRuleRepository;
  readonly rooms: RoomsService;
  readonly notices: Pick<Notices, 'send'>;
  /** Whose camera a sanction keeps off. */
  readonly sanctions: Pick<SanctionsService, 'standing'>;
  /** The seats of a room whose camera is on; null when the media server does not say. */
  readonly findCameras: (roomId: RoomId) => Promise<readonly number[] | null>;
  readonly clock: Clock;
}

/**
 * In rooms that ask for it, who has the camera off for long gives up the seat (decision 069): after
 * `CAMERA_RULE.warnMs` they are warned, once, after `CAMERA_RULE.leaveMs` they leave. A pause of this
 * process, or a sanction that has ended, warns first.
 */
export function createCameraRule(parts: CameraRuleParts) {
  const { repository, rooms, notices, sanctions, findCameras, clock } = parts;
  /** When this process warned a seat, in ms of the clock: nobody leaves without time to act on a warning. */
  let warnings = new Map<number, number>();

  /** @returns when the seat was warned; null for one that was not, or that was given up. */
  async function judge(
    roomId: RoomId,
    { userId, seatId, since }: CameraOff,
  ): Promise<number | null> {
    const nowMs = clock.now().getTime();
    const isEarly = nowMs - since.getTime() < CAMERA_RULE.warnMs;
    if (isEarly || sanctions.standing.find(userId, 'cameraOff')) return null;
    const warnedAtMs = warnings.get(seatId);
    if (warnedAtMs === undefined) {
      notices.send(userId, { kind: 'cameraWarning', roomId });
      return nowMs;
    }
    if (nowMs - warnedAtMs < CAMERA_RULE.leaveMs - CAMERA_RULE.warnMs) return warnedAtMs;
    // The reason is sent first: it must not come after the loss.
    notices.send(userId, { kind: 'seatLost', roomId, reason: 'cameraOff' });
    await rooms.leave(userId, seatId);
    return null;
  }

  return {
    /** Repeated: looks at the cameras of every room with the rule. */
    async check(): Promise<void> {
      const next = new Map<number, number>();
      for (const roomId of await repository.findRooms()) {
        const seatIds = await findCameras(roomId);
        if (seatIds === null) {
          await repository.forget(roomId);
          continue;
        }
        for (const off of await repository.note(roomId, seatIds, clock.now())) {
          const warnedAtMs = await judge(roomId, off);
          if (warnedAtMs !== null) next.set(off.seatId, warnedAtMs);
        }
      }
      warnings = next;
    },
  };
}
