import type { PomodoroSchedule, RoomId, UserId } from '@mogakgong/contract';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { useShallow } from 'zustand/react/shallow';
import { storageKeys } from '../../shared/lib/storage-keys.ts';

/** A learner in a room and its schedule, or null. */
export interface RoomScheduleProps {
  readonly userId: UserId;
  readonly roomId: RoomId;
  readonly schedule: PomodoroSchedule | null;
}

/** How the end of a phase is signalled to a learner, in every room. */
export interface SignalSettings {
  readonly hasSound: boolean;
  readonly notifies: boolean;
}

interface Stored {
  readonly byUser: Readonly<Record<string, SignalSettings>>;
  /** Learners and the rooms whose schedule they follow, as `followKey` writes them. */
  readonly followed: readonly string[];
}

const defaults: SignalSettings = { hasSound: true, notifies: false };
const followKey = (userId: UserId, roomId: RoomId) => `${userId}:${roomId}`;

/** Kept in this browser. Nobody follows a schedule until they choose to. */
const useStored = create(
  persist((): Stored => ({ byUser: {}, followed: [] }), {
    name: storageKeys.pomodoro,
    version: 2,
  }),
);

/** How the end of a phase is signalled to a learner. */
export function useSignals(userId: UserId): SignalSettings {
  return useStored(({ byUser }) => byUser[userId] ?? defaults);
}

/** Whether a learner follows the schedule of a room, and how it signals to them. */
export function useFollowing(userId: UserId, roomId: RoomId) {
  return useStored(
    useShallow(({ byUser, followed }) => ({
      ...(byUser[userId] ?? defaults),
      follows: followed.includes(followKey(userId, roomId)),
    })),
  );
}

/** Whether a learner follows the schedule of a room, outside of what is drawn. */
export function isFollowing(userId: UserId, roomId: RoomId): boolean {
  return useStored.getState().followed.includes(followKey(userId, roomId));
}

/** Starts or stops following the schedule of a room. */
export function follow(userId: UserId, roomId: RoomId, isFollowed: boolean): void {
  const key = followKey(userId, roomId);
  const others = useStored.getState().followed.filter((other) => other !== key);
  useStored.setState({ followed: isFollowed ? [...others, key] : others });
}

export function changeSignals(userId: UserId, change: Partial<SignalSettings>): void {
  const { byUser } = useStored.getState();
  useStored.setState({
    byUser: { ...byUser, [userId]: { ...defaults, ...byUser[userId], ...change } },
  });
}
