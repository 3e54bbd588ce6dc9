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
  putVisitNote,
  removeSubject,
  resumeTimer,
  showSubject,
  startTimer,
  visitNote,
} from '@mogakgong/contract';
import { ApiError } from '../../platform/http/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { createFocusRepository } from './focus.repository.ts';
import { FocusService, type FocusUses } from './focus.service.ts';
import { createGoalsService } from './goals.service.ts';
import { SeatLife, type SeatLifeUses } from './seat-life.ts';
import { createSubjectsService } from './subjects.service.ts';
import { createTodayRepository } from './today.repository.ts';

const PROOF_OF_LIFE_EVERY_MS = 10_000;

/** Visits and intervals, goals of the day, and subjects. */
export function createFocus(context: AppContext, uses: FocusUses): FocusService {
  const { database, http, sanctions, logger } = context;
  const parts = { ...context, ...uses };
  const repository = createFocusRepository(database);
  const todays = createTodayRepository(database);
  const focus = new FocusService({ ...parts, repository, todays });
  const goals = createGoalsService(parts, focus);
  const subjects = createSubjectsService(parts, focus);

  // Every process publishes the tile again: another one may not know of the change yet.
  sanctions.inForce.onNews((userId) => {
    focus
      .showAgain(userId)
      .catch((error: unknown) => logger.warn({ err: error, userId }, 'a tile is late'));
  });

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
  http.serve(putVisitNote, async ({ caller, params, body }) => {
    const note = body.note.trim() === '' ? null : visitNote(body.note);
    if (note === null && body.note.trim() !== '') throw new ApiError('visitNoteMalformed');
    const isFound = await repository.noteVisit(caller.userId, params.visitId, note);
    if (!isFound) throw new ApiError('visitNotFound');
    return { note };
  });
  http.serve(getGoal, async ({ caller }) => goals.find(caller.userId));
  http.serve(putGoal, async ({ caller, body }) => goals.save(caller.userId, body));
  http.serve(getSubjects, async ({ caller }) => subjects.find(caller.userId));
  http.serve(addSubject, async ({ caller, body }) => subjects.add(caller.userId, body.name));
  http.serve(changeSubject, async ({ caller, params, body }) =>
    subjects.change(caller.userId, params.subjectId, body),
  );
  http.serve(removeSubject, async ({ caller, params }) =>
    subjects.remove(caller.userId, params.subjectId),
  );
  http.serve(showSubject, async ({ caller, body }) => subjects.show(caller.userId, body.isShown));
  http.serve(chooseSubject, async ({ caller, body }) => subjects.choose(caller.userId, body));
  return focus;
}

/** Signs of life from the connections of seated learners. */
export function createSeatLife(context: AppContext, uses: SeatLifeUses): SeatLife {
  const seatLife = new SeatLife({ ...context, ...uses });
  const everyMs = PROOF_OF_LIFE_EVERY_MS;
  context.jobs.add(
    { name: 'proof of life', everyMs, runs: 'process', run: () => seatLife.recordConnected() },
    { name: 'watch', everyMs, runs: 'process', run: () => uses.focus.recordWatch() },
    { name: 'silent learners', everyMs, runs: 'site', run: () => seatLife.findSilent() },
    { name: 'phases', everyMs, runs: 'site', run: () => uses.focus.sweepPhases() },
  );
  return seatLife;
}
