import type { UserId } from '@mogakgong/contract';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';

/** How one learner wants to be told of the room's schedule. */
export interface Following {
  readonly follows: boolean;
  readonly hasSound: boolean;
  readonly notifies: boolean;
}

const unasked: Following = { follows: false, hasSound: true, notifies: false };

interface FollowingByUser {
  readonly byUser: Readonly<Record<string, Following>>;
}

export const FOLLOWING_KEY = 'mogakgong.pomodoro';

/** Who follows in this browser, remembered for each learner; off until they say so. */
const useStore = create<FollowingByUser>()(
  persist((): FollowingByUser => ({ byUser: {} }), { name: FOLLOWING_KEY, version: 1 }),
);

export function useFollowing(userId: UserId): Following {
  return useStore(({ byUser }) => byUser[userId] ?? unasked);
}

export function changeFollowing(userId: UserId, change: Partial<Following>): void {
  const { byUser } = useStore.getState();
  useStore.setState({
    byUser: { ...byUser, [userId]: { ...unasked, ...byUser[userId], ...change } },
  });
}
