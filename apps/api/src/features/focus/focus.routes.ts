import {
  addSubject,
  awayTimer,
  changeSubject,
  chooseSubject,
  getFocusSettings,
  getGoal,
  getSubjects,
  getToday,
  pauseTimer,
  putFocusSettings,
  putGoal,
  removeSubject,
  resumeTimer,
  startTimer,
} from '@mogakgong/contract';
import type { HttpServer } from '../../platform/http/index.ts';
import type { FocusService } from './focus.service.ts';
import type { GoalsService } from './goals.service.ts';
import type { SubjectsService } from './subjects.service.ts';

interface FocusServices {
  readonly focus: FocusService;
  readonly goals: GoalsService;
  readonly subjects: SubjectsService;
}

export function serveFocus(http: HttpServer, { focus, goals, subjects }: FocusServices): void {
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
  http.serve(getSubjects, async ({ caller }) => subjects.find(caller.userId));
  http.serve(addSubject, async ({ caller, body }) => subjects.add(caller.userId, body.name));
  http.serve(changeSubject, async ({ caller, params, body }) =>
    subjects.change(caller.userId, params.subjectId, body),
  );
  http.serve(removeSubject, async ({ caller, params }) =>
    subjects.remove(caller.userId, params.subjectId),
  );
  http.serve(chooseSubject, async ({ caller, body }) => subjects.choose(caller.userId, body));
  http.serve(putGoal, async ({ caller, body }) => goals.save(caller.userId, body));
}
