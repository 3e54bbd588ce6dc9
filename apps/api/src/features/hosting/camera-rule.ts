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
 * `CAMERA_RULE.warnMs` they are warned, once, after `CAMERA_RULE.leaveMs` they leave.
 */
export function createCameraRule(parts: CameraRuleParts) {
  const { repository, rooms, notices, sanctions, findCameras, clock } = parts;
  /** Seats that were warned since their camera went off. Another process would warn again. */
  let warned = new Set<number>();

  async function judge(roomId: RoomId, { userId, seatId, since }: CameraOff): Promise<boolean> {
    const offMs = clock.now().getTime() - since.getTime();
    if (offMs < CAMERA_RULE.warnMs || sanctions.standing.find(userId, 'cameraOff')) return false;
    if (offMs < CAMERA_RULE.leaveMs) {
      if (!warned.has(seatId)) notices.send(userId, { kind: 'cameraWarning', roomId });
      return true;
    }
    // The reason is sent first: it must not come after the loss.
    notices.send(userId, { kind: 'seatLost', roomId, reason: 'cameraOff' });
    await rooms.leave(userId, seatId);
    return false;
  }

  return {
    /** Repeated: looks at the cameras of every room with the rule. */
    async check(): Promise<void> {
      const next = new Set<number>();
      for (const roomId of await repository.findRooms()) {
        const seatIds = await findCameras(roomId);
        if (seatIds === null) await repository.forget(roomId);
        else {
          for (const off of await repository.note(roomId, seatIds, clock.now())) {
            if (await judge(roomId, off)) next.add(off.seatId);
          }
        }
      }
      warned = next;
    },
  };
}
