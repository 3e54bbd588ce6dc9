import type {
  PomodoroLengths,
  PomodoroSchedule,
  RoomId,
  RoomPomodoro,
  UserId,
} from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { RoomsService, SeatChange } from '../rooms/index.ts';
import type { PomodoroRepository, ScheduleChange } from './pomodoro.repository.ts';

interface PomodoroParts {
  readonly repository: PomodoroRepository;
  readonly rooms: RoomsService;
  readonly clock: Clock;
}

/** What a learner made of their room's schedule, with its number in the roster. */
export interface PomodoroChange extends SeatChange {
  readonly schedule: PomodoroSchedule | null;
}

/**
 * The optional schedule of a room. Whoever sits there may start, change and stop it, and everybody is
 * shown who did; it ends with the gathering. It touches nobody's own clock.
 */
export function createPomodoroService({ repository, rooms, clock }: PomodoroParts) {
  const listeners: ((change: PomodoroChange) => void)[] = [];

  function answer(roomId: RoomId, schedule: PomodoroSchedule | null): RoomPomodoro {
    return { roomId, schedule, serverNowMs: clock.now().getTime() };
  }

  function settle(roomId: RoomId, edited: ScheduleChange | null): RoomPomodoro {
    if (!edited) throw new ApiError('notSeated');
    const { change, schedule } = edited;
    if (change) for (const listener of listeners) listener({ ...change, schedule });
    return answer(roomId, schedule);
  }

  return {
    /** @throws ApiError `notSeated` for a room that is not the caller's. */
    async find(userId: UserId, roomId: RoomId): Promise<RoomPomodoro> {
      if ((await rooms.findSeat(userId))?.roomId !== roomId) throw new ApiError('notSeated');
      const schedules = await repository.findSchedules([roomId]);
      return answer(roomId, schedules.get(roomId) ?? null);
    },

    /**
     * Starts a schedule now. One with these lengths that runs already goes on, so a second click, or
     * a second learner at the same moment, does not restart it.
     * @throws ApiError `notSeated`.
     */
    async start(userId: UserId, roomId: RoomId, lengths: PomodoroLengths): Promise<RoomPomodoro> {
      const { focusMinutes, breakMinutes } = lengths;
      const startedAtMs = clock.now().getTime();
      const edited = await repository.edit(userId, roomId, (before) =>
        before?.focusMinutes === focusMinutes && before.breakMinutes === breakMinutes
          ? before
          : { focusMinutes, breakMinutes, startedAtMs },
      );
      return settle(roomId, edited);
    },

    /** @throws ApiError `notSeated`. */
    async stop(userId: UserId, roomId: RoomId): Promise<RoomPomodoro> {
      return settle(roomId, await repository.edit(userId, roomId, () => null));
    },

    /** Calls `listener` with every change that this process made. */
    onChange(listener: (change: PomodoroChange) => void): void {
      listeners.push(listener);
    },

    /** The schedules of rooms that have one. */
    findSchedules: (roomIds: readonly RoomId[]) => repository.findSchedules(roomIds),
  };
}

export type PomodoroService = ReturnType<typeof createPomodoroService>;
