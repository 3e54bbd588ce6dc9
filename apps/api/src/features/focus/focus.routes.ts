import {
  awayTimer,
  getFocusSettings,
  getGoal,
  getToday,
  pauseTimer,
  putFocusSettings,
  putGoal,
  resumeTimer,
  startTimer,
} from '@mogakgong/contract';
import type { HttpServer } from '../../platform/http/index.ts';
import type { FocusService } from './focus.service.ts';
import type { GoalsService } from './goals.service.ts';

export function serveFocus(http: HttpServer, focus: FocusService, goals: GoalsService): void {
  const moves = { start: startTimer, pause: pauseTimer, resume: resumeTimer, away: awayTimer };
  for (const [move, route] of Object.entries(moves)) {
    http.serve(route, async ({ caller, body }) =>
      focus.move(caller.userId, body.roomId, {
        move: move as keyof typeof moves,
        press: body.press,
      }),
    );
  }
  http.serve(getToday, async ({ caller }) => focus.findToday(caller.userId));
  http.serve(getFocusSettings, async ({ caller }) => focus.findSettings(caller.userId));
  http.serve(putFocusSettings, async ({ caller, body }) =>
    focus.changeSettings(caller.userId, body),
  );
  http.serve(getGoal, async ({ caller }) => goals.find(caller.userId));
  http.serve(putGoal, async ({ caller, body }) => goals.save(caller.userId, body));
}
