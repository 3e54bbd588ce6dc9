import type { RoomId, UserId } from '@mogakgong/contract';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { useShallow } from 'zustand/react/shallow';
import { storageKeys } from '../../shared/lib/storage-keys.ts';

/** How a learner is told of a room's schedule. */
export interface Ways {
  readonly hasSound: boolean;
  readonly notifies: boolean;
}

/** Whether one learner follows the schedule of a room, and how they want to be told of it. */
export interface Following extends Ways {
  readonly follows: boolean;
}

interface Remembered {
  readonly byUser: Readonly<Record<string, Ways>>;
  /** Who follows in which room: learner and room, as `stayKey` writes them. */
  readonly followed: readonly string[];
}

const waysAtFirst: Ways = { hasSound: true, notifies: false };

export const FOLLOWING_KEY = storageKeys.pomodoro;

const stayKey = (userId: UserId, roomId: RoomId) => `${userId}:${roomId}`;

/**
 * Who follows in this browser, remembered for each learner and room; off until they say so. The ways
 * of being told are remembered for all rooms.
 */
const useStore = create<Remembered>()(
  persist((): Remembered => ({ byUser: {}, followed: [] }), { name: FOLLOWING_KEY, version: 2 }),
);

/** Whether and how a learner follows the schedule of a room. */
export function useFollowing(userId: UserId, roomId: RoomId): Following {
  return useStore(
    useShallow(({ byUser, followed }) => ({
      ...(byUser[userId] ?? waysAtFirst),
      follows: followed.includes(stayKey(userId, roomId)),
    })),
  );
}

/** Begins or ends to follow the schedule of a room. */
export function follow(userId: UserId, roomId: RoomId, isFollowed: boolean): void {
  const key = stayKey(userId, roomId);
  const others = useStore.getState().followed.filter((other) => other !== key);
  useStore.setState({ followed: isFollowed ? [...others, key] : others });
}

/** Changes how a learner is told, in every room. */
export function changeWays(userId: UserId, change: Partial<Ways>): void {
  const { byUser } = useStore.getState();
  useStore.setState({
    byUser: { ...byUser, [userId]: { ...waysAtFirst, ...byUser[userId], ...change } },
  });
}
