import type { Database } from '../../platform/database/index.ts';
import type { HttpServer } from '../../platform/http/index.ts';
import { createPomodoroRepository } from './pomodoro.repository.ts';
import { servePomodoro } from './pomodoro.routes.ts';
import {
  createPomodoroService,
  type PomodoroParts,
  type PomodoroService,
} from './pomodoro.service.ts';

interface PomodoroFeatureParts extends Omit<PomodoroParts, 'repository'> {
  readonly database: Database;
  readonly http: HttpServer;
}

/** Schedules of rooms. */
export function createPomodoro(parts: PomodoroFeatureParts): PomodoroService {
  const repository = createPomodoroRepository(parts.database);
  const pomodoro = createPomodoroService({ ...parts, repository });
  servePomodoro(parts.http, pomodoro);
  return pomodoro;
}
