import {
  type FocusClock,
  followSchedule,
  type PomodoroSchedule,
  type RoomId,
  type UserId,
} from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { timedCall } from '../../shared/clock/index.ts';
import { clockOf } from '../../shared/today/own-clock.ts';
import { changeOwnClock, takeToday, useOwnClock } from '../../shared/today/today.ts';

/** A learner in a room and its schedule, or null. */
export interface RoomScheduleProps {
  readonly userId: UserId;
  readonly roomId: RoomId;
  readonly schedule: PomodoroSchedule | null;
}

const isFollowed = (clock: FocusClock | null, schedule: PomodoroSchedule | null) =>
  schedule !== null &&
  clock?.schedule?.startedAtMs === schedule.startedAtMs &&
  clock.schedule.endedAtMs === undefined;

/** Whether the learner's timer follows the schedule of their room. */
export function useFollows(schedule: PomodoroSchedule | null): boolean {
  return useOwnClock((own) => isFollowed(clockOf(own), schedule));
}

/** `useFollows` outside of React. */
export const isFollowing = (schedule: PomodoroSchedule | null): boolean =>
  isFollowed(clockOf(useOwnClock.getState()), schedule);

/** Joins a schedule with the learner's timer, or leaves with null; a failure is announced. */
async function setFollowed(
  { userId, roomId }: Omit<RoomScheduleProps, 'schedule'>,
  startedAtMs: number | null,
): Promise<void> {
  try {
    const body = { userId, roomId, startedAtMs };
    const { clock, today } = await timedCall(() => call(followSchedule, { body }));
    changeOwnClock(userId, { kind: 'answered', id: '', clock });
    if (today) takeToday(userId, today);
  } catch (error) {
    notifyFailure(error);
  }
}

/** Joins the room's schedule until it ends. */
export async function follow({ schedule, ...seat }: RoomScheduleProps): Promise<void> {
  if (schedule !== null) await setFollowed(seat, schedule.startedAtMs);
}

export const unfollow = (seat: Omit<RoomScheduleProps, 'schedule'>): Promise<void> =>
  setFollowed(seat, null);
