import type { RoomId, UserId } from '@mogakgong/contract';
import { assertNoWait, requireAllowed } from '../../platform/http/index.ts';
import { type Limits, waitMsOf } from '../../platform/limits/index.ts';

interface ReadingRate {
  readonly learnerBytes: number;
  /** Bytes that one learner may read before they count against the room. */
  readonly uncountedBytes: number;
  readonly roomBytes: number;
  readonly windowMs: number;
}

/**
 * Counts the bytes that a learner, and a room, reads.
 * @throws ApiError `tooManyRequests`.
 */
export type CountReading = (userId: UserId, roomId: RoomId, bytes: number) => Promise<void>;

export function createReadingLimit(
  limits: Pick<Limits, 'shared'>,
  name: string,
  { learnerBytes, uncountedBytes, roomBytes, windowMs }: ReadingRate,
): CountReading {
  const ofLearners = limits.shared(name, { max: learnerBytes, windowMs });
  const ofRooms = limits.shared(`${name} of a room`, { max: roomBytes, windowMs });
  return async (userId, roomId, bytes) => {
    if (bytes === 0) return;
    const counting = ofLearners.consume(userId, bytes);
    await requireAllowed(counting);
    const { consumedPoints } = await counting;
    if (consumedPoints <= uncountedBytes) return;
    const waitMs = await waitMsOf(ofRooms.consume(roomId, bytes));
    // Nothing is read.
    if (waitMs > 0) await ofLearners.reward(userId, bytes);
    assertNoWait(waitMs);
  };
}
