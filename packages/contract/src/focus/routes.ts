import * as z from 'zod/mini';
import { RoomId, UserId } from '../ids.ts';
import { settingsRate, timerRate } from '../limits.ts';
import { alsoReads, route, withAdditions } from '../route.ts';
import { ServerTimeMs } from '../server-time.ts';
import { Uuid } from '../uuid.ts';
import { FocusClock, stillToday, type TimerMove, Today } from './clock.ts';
import { FocusSettings } from './settings.ts';

/** The caller's own clock after a move, the server's time to compute it with, and their day, as its notice. */
export const TimerReply = z.object({
  clock: FocusClock,
  serverNowMs: ServerTimeMs,
  today: z.optional(Today),
});
export type TimerReply = z.infer<typeof TimerReply>;

/**
 * When the learner pressed, by the server's clock: a browser without a connection sends the press later. The
 * server counts it from then on if the time is plausible
 * (docs/decisions/090-presses-without-a-connection.md).
 */
export const TimerPress = z.object({
  /** Chosen by the browser. The same press sent again changes nothing. */
  id: Uuid,
  atMs: ServerTimeMs,
});
export type TimerPress = z.infer<typeof TimerPress>;

const timerRoute = <const Path extends `/api/timer/${TimerMove}`>(path: Path, summary: string) =>
  route({
    method: 'POST',
    path,
    summary,
    access: 'login',
    body: z.object({ userId: UserId, roomId: RoomId, press: z.optional(TimerPress) }),
    // The specification does not show the answer: the press then counts as it was made.
    reply: alsoReads(z.extend(TimerReply, { clock: z.nullable(FocusClock) }), (answer) =>
      withAdditions(answer, { clock: null, serverNowMs: Date.now() }),
    ),
    errors: [
      'unauthorized',
      'notYourself',
      'notSeated',
      'illegalTimerMove',
      'timerPressedTooOften',
      'clockWrong',
    ],
    limit: timerRate,
    callerFields: ['body.userId'],
  });

export const startTimer = timerRoute('/api/timer/start', 'Begins to focus: idle becomes focus');
export const pauseTimer = timerRoute('/api/timer/pause', 'Takes a break: focus becomes pause');
export const resumeTimer = timerRoute(
  '/api/timer/resume',
  'Goes on focusing: pause or away becomes focus',
);
export const awayTimer = timerRoute('/api/timer/away', 'Goes away: focus or pause becomes away');

export const followSchedule = route({
  method: 'PUT',
  path: '/api/timer/schedule',
  summary:
    "Joins the schedule of the caller's room, whose phases change their timer from now on, or leaves it",
  access: 'login',
  body: z.object({
    userId: UserId,
    roomId: RoomId,
    /** Which one: the next schedule of a room has another start. Null leaves, and changes nothing else. */
    startedAtMs: z.nullable(ServerTimeMs),
  }),
  reply: TimerReply,
  errors: [
    'unauthorized',
    'notYourself',
    'notSeated',
    'pomodoroEnded',
    'timerPressedTooOften',
    'clockWrong',
  ],
  limit: timerRate,
  callerFields: ['body.userId'],
});

export const getToday = route({
  method: 'GET',
  path: '/api/user/stat/today-study-time',
  summary: 'Study time of the caller today, the running interval included',
  access: 'login',
  // The specification's answer is `todayStudyTime` alone (§3).
  reply: alsoReads(Today, (answer) => withAdditions(answer, stillToday(answer, Date.now()))),
  errors: ['unauthorized'],
});

export const getFocusSettings = route({
  method: 'GET',
  path: '/api/user/settings/focus',
  summary: "The caller's time zone, start of the day, and whether focus begins on entering",
  access: 'login',
  reply: FocusSettings,
  errors: ['unauthorized'],
});

export const putFocusSettings = route({
  method: 'PUT',
  path: '/api/user/settings/focus',
  summary: 'Changes them; days that were counted already keep their dates',
  access: 'login',
  body: FocusSettings,
  reply: FocusSettings,
  errors: ['unauthorized', 'unknownTimeZone', 'dayRuleChangedToday', 'clockWrong'],
  limit: settingsRate,
});
