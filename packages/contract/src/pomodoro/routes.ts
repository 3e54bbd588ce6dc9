import * as z from 'zod/mini';
import { MINUTE_MS } from '../durations.ts';
import { RoomId } from '../ids.ts';
import { type RouteDefinition, route } from '../route.ts';
import { PomodoroLengths, RoomPomodoro } from './pomodoro.ts';

const ofRoom = {
  path: '/api/study-rooms/:roomId/pomodoro',
  access: 'login',
  params: z.object({ roomId: RoomId }),
  reply: RoomPomodoro,
  errors: ['unauthorized', 'notSeated'],
  limit: { name: 'pomodoro', max: 20, windowMs: MINUTE_MS, per: 'user' },
} as const satisfies Partial<RouteDefinition>;

export const getPomodoro = route({
  ...ofRoom,
  method: 'GET',
  summary: "The schedule of the caller's own room, or null",
});

export const putPomodoro = route({
  ...ofRoom,
  method: 'PUT',
  summary:
    'Starts a schedule, or changes its lengths and restarts it; the same lengths change nothing',
  body: PomodoroLengths,
  errors: [...ofRoom.errors, 'notPomodoroStarter'],
});

export const deletePomodoro = route({
  ...ofRoom,
  method: 'DELETE',
  summary: 'Stops the schedule for everybody; stopping none changes nothing',
  errors: [...ofRoom.errors, 'notPomodoroStarter'],
});
