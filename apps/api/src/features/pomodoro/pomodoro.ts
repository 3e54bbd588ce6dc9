import {
  deletePomodoro,
  followSchedule,
  getPomodoro,
  type PomodoroLengths,
  type PomodoroSchedule,
  putPomodoro,
  type RoomId,
  type RoomPomodoro,
  type TimerReply,
  type UserId,
} from '@mogakgong/contract';
import { ApiError } from '../../platform/http/index.ts';
import {
  afterFollowing,
  editByLearner,
  editLockedVisits,
  type FocusService,
} from '../focus/index.ts';
import type { RoomsService, SeatChange } from '../rooms/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import {
  createPomodoroRepository,
  lockSchedule,
  type OwnView,
  type ScheduleEdit,
} from './pomodoro.repository.ts';

/** A learner's change of their room's schedule, with its number in the roster. */
interface PomodoroChange extends SeatChange {
  readonly schedule: PomodoroSchedule | null;
  /** When the schedule before ended. */
  readonly atMs: number;
}

export interface PomodoroUses {
  readonly rooms: RoomsService;
  readonly focus: FocusService;
}

/**
 * The optional schedule of a room. Any learner in the room may start one; its starter or the host may change
 * and stop it, visibly to all (decision 092); it ends with the gathering. It changes the timers of the learners
 * who have joined it, and nobody else's (decision 137).
 */
function createService(context: AppContext, { rooms, focus }: PomodoroUses) {
  const { database, clock, checkedClock } = context;
  const repository = createPomodoroRepository(database);
  const listeners: ((change: PomodoroChange) => void)[] = [];

  function answer(roomId: RoomId, { schedule, mayEnd }: OwnView): RoomPomodoro {
    return { roomId, schedule, mayEnd, serverNowMs: clock.now().getTime() };
  }

  async function edit(userId: UserId, roomId: RoomId, newSchedule: ScheduleEdit) {
    const now = checkedClock.now();
    const edited = await repository.edit({ userId, roomId, now }, newSchedule);
    if (!edited) throw new ApiError('notSeated');
    const { change, schedule } = edited;
    const atMs = now.getTime();
    if (change) for (const listener of listeners) listener({ ...change, schedule, atMs });
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
    start: (userId: UserId, roomId: RoomId, lengths: PomodoroLengths): Promise<RoomPomodoro> =>
      edit(userId, roomId, ({ schedule, mayEnd }, startedAtMs) => {
        const { focusMinutes, breakMinutes } = lengths;
        const isSame =
          schedule?.focusMinutes === focusMinutes && schedule.breakMinutes === breakMinutes;
        if (isSame) return schedule;
        if (!mayEnd) throw new ApiError('notPomodoroStarter');
        return { focusMinutes, breakMinutes, startedAtMs };
      }),

    /** @throws ApiError `notSeated`, `notPomodoroStarter`. */
    stop: (userId: UserId, roomId: RoomId): Promise<RoomPomodoro> =>
      edit(userId, roomId, ({ mayEnd }) => {
        if (!mayEnd) throw new ApiError('notPomodoroStarter');
        return null;
      }),

    /**
     * Joins the schedule of the caller's room that began at a moment, or leaves it with null.
     * @throws ApiError `notSeated`, `pomodoroEnded`.
     */
    async follow(userId: UserId, roomId: RoomId, startedAtMs: number | null): Promise<TimerReply> {
      const now = checkedClock.now();
      const edited = await focus.transact(async (queries, db) => {
        await queries.lockSeats([userId]);
        const schedule = startedAtMs === null ? null : await lockSchedule(db, roomId);
        const isOver = startedAtMs !== (schedule?.startedAtMs ?? null);
        const join = editByLearner({ userId, now, roomId }, (heard, atMs) => {
          if (isOver) throw new ApiError('pomodoroEnded');
          return afterFollowing(heard, schedule, atMs);
        });
        return editLockedVisits(queries, [join]);
      });
      return focus.replyTo(edited, now);
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
export function createPomodoro(context: AppContext, uses: PomodoroUses): PomodoroService {
  const { http } = context;
  const pomodoro = createService(context, uses);
  http.serve(getPomodoro, async ({ caller, params }) =>
    pomodoro.find(caller.userId, params.roomId),
  );
  http.serve(putPomodoro, async ({ caller, params, body }) =>
    pomodoro.start(caller.userId, params.roomId, body),
  );
  http.serve(deletePomodoro, async ({ caller, params }) =>
    pomodoro.stop(caller.userId, params.roomId),
  );
  http.serve(followSchedule, async ({ caller, body }) =>
    pomodoro.follow(caller.userId, body.roomId, body.startedAtMs),
  );
  return pomodoro;
}
