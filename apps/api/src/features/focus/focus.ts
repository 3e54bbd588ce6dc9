import type { Database } from '../../platform/database/index.ts';
import type { HttpServer } from '../../platform/http/index.ts';
import type { Jobs } from '../../platform/jobs/index.ts';
import type { SanctionsService } from '../sanctions/index.ts';
import { createFocusRepository } from './focus.repository.ts';
import { serveFocus } from './focus.routes.ts';
import { type FocusParts, FocusService } from './focus.service.ts';
import { createGoalsRepository } from './goals.repository.ts';
import { createGoalsService } from './goals.service.ts';
import { SeatLife, type SeatLifeParts } from './seat-life.ts';
import { createSubjectsService } from './subjects.service.ts';
import { createTodayRepository } from './today.repository.ts';

const PROOF_OF_LIFE_EVERY_MS = 10_000;

interface FocusFeatureParts extends Omit<FocusParts, 'repository' | 'todays'> {
  readonly database: Database;
  readonly http: HttpServer;
  readonly sanctions: SanctionsService;
}

/** Visits and intervals, goals of the day, and subjects. */
export function createFocus(parts: FocusFeatureParts): FocusService {
  const { database, http } = parts;
  const focus = new FocusService({
    ...parts,
    repository: createFocusRepository(database),
    todays: createTodayRepository(database),
  });
  const repository = createGoalsRepository(database);
  const { standing } = parts.sanctions;
  const goals = createGoalsService({ ...parts, repository, focus, standing });
  const subjects = createSubjectsService({ ...parts, focus });
  serveFocus(http, { focus, goals, subjects });
  return focus;
}

interface SeatLifeFeatureParts extends SeatLifeParts {
  readonly jobs: Jobs;
}

/** Signs of life from the connections of seated learners. */
export function createSeatLife(parts: SeatLifeFeatureParts): SeatLife {
  const { jobs, focus } = parts;
  const seatLife = new SeatLife(parts);
  jobs.add({
    name: 'proof of life',
    everyMs: PROOF_OF_LIFE_EVERY_MS,
    runs: 'process',
    run: () => seatLife.recordConnected(),
  });
  jobs.add({
    name: 'watch',
    everyMs: PROOF_OF_LIFE_EVERY_MS,
    runs: 'process',
    run: () => focus.recordWatch(),
  });
  jobs.add({
    name: 'silent learners',
    everyMs: PROOF_OF_LIFE_EVERY_MS,
    runs: 'site',
    run: () => seatLife.findSilent(),
  });
  return seatLife;
}
