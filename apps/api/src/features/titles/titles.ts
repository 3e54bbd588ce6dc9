import type { Database } from '../../platform/database/index.ts';
import type { HttpServer } from '../../platform/http/index.ts';
import type { Jobs } from '../../platform/jobs/index.ts';
import { createTitlesRepository } from './titles.repository.ts';
import { serveTitles } from './titles.routes.ts';
import { type TitlesParts, TitlesService } from './titles.service.ts';

/** Maximum delay of a title after a stored sign of life covers its moment. */
const AWARD_EVERY_MS = 20_000;

interface TitlesFeatureParts extends Omit<TitlesParts, 'repository'> {
  readonly database: Database;
  readonly http: HttpServer;
  readonly jobs: Jobs;
}

/** Titles that learners win and wear. */
export function createTitles(parts: TitlesFeatureParts): TitlesService {
  const { database, http, jobs } = parts;
  const titles = new TitlesService({ ...parts, repository: createTitlesRepository(database) });
  serveTitles(http, titles);
  jobs.add({
    name: 'titles of those who focus',
    everyMs: AWARD_EVERY_MS,
    runs: 'process',
    run: () => titles.awardFocusing(),
  });
  return titles;
}
