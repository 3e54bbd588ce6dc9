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
  /** The schedule each learner follows: one at most, as they sit in one room. */
  readonly followed: Readonly<Record<string, FollowedSchedule>>;
}

/** Identifies one schedule of a room: the next one has another start. */
interface FollowedSchedule {
  readonly roomId: RoomId;
  readonly startedAtMs: number;
}

const defaults: SignalSettings = { hasSound: true, notifies: false };

/** Kept in this browser. A learner follows only a schedule that they chose. */
const useStored = create(
  persist((): Stored => ({ byUser: {}, followed: {} }), {
    name: storageKeys.pomodoro,
    version: 3,
    // Earlier versions stored rooms, not schedules.
    migrate: (before) => ({ byUser: {}, ...(before as Partial<Stored>), followed: {} }),
  }),
);

const isSame = (
  followed: FollowedSchedule | undefined,
  { roomId, schedule }: Omit<RoomScheduleProps, 'userId'>,
) => followed?.roomId === roomId && followed.startedAtMs === schedule?.startedAtMs;

/** How the end of a phase is signalled to a learner. */
export function useSignals(userId: UserId): SignalSettings {
  return useStored(({ byUser }) => byUser[userId] ?? defaults);
}

/** Whether a learner follows the schedule of a room, and how it signals to them. */
export function useFollowing({ userId, ...room }: RoomScheduleProps) {
  return useStored(
    useShallow(({ byUser, followed }) => ({
      ...(byUser[userId] ?? defaults),
      follows: isSame(followed[userId], room),
    })),
  );
}

/** `useFollowing` outside of React. */
export function isFollowing({ userId, ...room }: RoomScheduleProps): boolean {
  return isSame(useStored.getState().followed[userId], room);
}

/** Starts following the room's schedule until it ends; replaces the schedule followed before. */
export function follow({ userId, roomId, schedule }: RoomScheduleProps): void {
  if (schedule === null) return;
  const { followed } = useStored.getState();
  const { startedAtMs } = schedule;
  useStored.setState({ followed: { ...followed, [userId]: { roomId, startedAtMs } } });
}

/** Calls back when a learner of this browser starts or stops following a schedule. */
export function onFollowing(listener: () => void): () => void {
  return useStored.subscribe(({ followed }, before) => {
    if (followed !== before.followed) listener();
  });
}

export function unfollow(userId: UserId): void {
  const { [userId]: _, ...followed } = useStored.getState().followed;
  useStored.setState({ followed });
}

export function changeSignals(userId: UserId, change: Partial<SignalSettings>): void {
  const { byUser } = useStored.getState();
  useStored.setState({
    byUser: { ...byUser, [userId]: { ...defaults, ...byUser[userId], ...change } },
  });
}
