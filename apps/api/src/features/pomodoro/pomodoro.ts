import {
  deletePomodoro,
  getPomodoro,
  type PomodoroLengths,
  type PomodoroSchedule,
  putPomodoro,
  type RoomId,
  type RoomPomodoro,
  type UserId,
} from '@mogakgong/contract';
import { ApiError } from '../../platform/http/index.ts';
import type { RoomsService, SeatChange } from '../rooms/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import {
  createPomodoroRepository,
  type OwnView,
  type ScheduleChange,
} from './pomodoro.repository.ts';

/** A learner's change of their room's schedule, with its number in the roster. */
interface PomodoroChange extends SeatChange {
  readonly schedule: PomodoroSchedule | null;
}

/**
 * The optional schedule of a room. Any learner in the room may start one; its starter or the host may change
 * and stop it, visibly to all; it ends with the gathering. It changes nobody's own clock (decision 092).
 */
function createService({ database, clock }: AppContext, rooms: RoomsService) {
  const repository = createPomodoroRepository(database);
  const listeners: ((change: PomodoroChange) => void)[] = [];

  function answer(roomId: RoomId, { schedule, mayEnd }: OwnView): RoomPomodoro {
    return { roomId, schedule, mayEnd, serverNowMs: clock.now().getTime() };
  }

  function settle(roomId: RoomId, edited: ScheduleChange | null): RoomPomodoro {
    if (!edited) throw new ApiError('notSeated');
    const { change, schedule } = edited;
    if (change) for (const listener of listeners) listener({ ...change, schedule });
    return answer(roomId, edited);
  }

  return {
    /** @throws ApiError `notSeated` for a room that is not the caller's. */
    async find(userId: UserId, roomId: RoomId): Promise<RoomPomodoro> {
      if ((await rooms.findSeat(userId))?.roomId !== roomId) throw new ApiError('notSeated');
      return answer(roomId, await repository.findOwnView(userId, roomId));
    },

    /**
     * Starts a schedule now. A running one with these lengths continues, so that a double click, or a second
     * learner at the same moment, does not restart it.
     * @throws ApiError `notSeated`, `notPomodoroStarter`.
     */
    async start(userId: UserId, roomId: RoomId, lengths: PomodoroLengths): Promise<RoomPomodoro> {
      const { focusMinutes, breakMinutes } = lengths;
      const startedAtMs = clock.now().getTime();
      const edited = await repository.edit(userId, roomId, ({ schedule, mayEnd }) => {
        const isSame =
          schedule?.focusMinutes === focusMinutes && schedule.breakMinutes === breakMinutes;
        if (isSame) return schedule;
        if (!mayEnd) throw new ApiError('notPomodoroStarter');
        return { focusMinutes, breakMinutes, startedAtMs };
      });
      return settle(roomId, edited);
    },

    /** @throws ApiError `notSeated`, `notPomodoroStarter`. */
    async stop(userId: UserId, roomId: RoomId): Promise<RoomPomodoro> {
      const edited = await repository.edit(userId, roomId, ({ mayEnd }) => {
        if (!mayEnd) throw new ApiError('notPomodoroStarter');
        return null;
      });
      return settle(roomId, edited);
    },

    /** Calls `listener` with every change made by this process. */
    onChange(listener: (change: PomodoroChange) => void): void {
      listeners.push(listener);
    },

    /** The schedules of rooms that have one. */
    findSchedules: (roomIds: readonly RoomId[]) => repository.findSchedules(roomIds),
  };
}

export type PomodoroService = ReturnType<typeof createService>;

/** Schedules of rooms. */
export function createPomodoro(context: AppContext, rooms: RoomsService): PomodoroService {
  const { http } = context;
  const pomodoro = createService(context, rooms);
  http.serve(getPomodoro, async ({ caller, params }) =>
    pomodoro.find(caller.userId, params.roomId),
  );
  http.serve(putPomodoro, async ({ caller, params, body }) =>
    pomodoro.start(caller.userId, params.roomId, body),
  );
  http.serve(deletePomodoro, async ({ caller, params }) =>
    pomodoro.stop(caller.userId, params.roomId),
  );
  return pomodoro;
}
