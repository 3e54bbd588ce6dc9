import { deletePomodoro, getPomodoro, putPomodoro } from '@mogakgong/contract';
import type { HttpServer } from '../../platform/http/index.ts';
import type { PomodoroService } from './pomodoro.service.ts';

export function servePomodoro(http: HttpServer, pomodoro: PomodoroService): void {
  http.serve(getPomodoro, async ({ caller, params }) =>
    pomodoro.find(caller.userId, params.roomId),
  );
  http.serve(putPomodoro, async ({ caller, params, body }) =>
    pomodoro.start(caller.userId, params.roomId, body),
  );
  http.serve(deletePomodoro, async ({ caller, params }) =>
    pomodoro.stop(caller.userId, params.roomId),
  );
}
