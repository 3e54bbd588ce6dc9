import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { HttpServer } from '../../platform/http/index.ts';
import type { Jobs } from '../../platform/jobs/index.ts';
import type { ImagesService } from '../images/index.ts';
import type { Notices } from '../realtime/index.ts';
import type { SanctionsService } from '../sanctions/index.ts';
import { createAppealsService } from './appeals.service.ts';
import { createCaseDecisions } from './case-decisions.service.ts';
import { createCasesRepository } from './cases.repository.ts';
import { serveAppeals, serveCases } from './cases.routes.ts';
import { createCasesService } from './cases.service.ts';
import { createReportsRepository } from './reports.repository.ts';
import { serveReports } from './reports.routes.ts';
import { createReportsService, type ReportsService } from './reports.service.ts';

const DELETE_OLD_EVERY_MS = 60 * 60_000;

interface ReportsParts {
  readonly database: Database;
  readonly http: HttpServer;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly images: ImagesService;
  readonly notices: Notices;
  readonly sanctions: SanctionsService;
}

/** Reports of learners with their evidence, and the moderators' cases about them. */
export function createReports(parts: ReportsParts): ReportsService {
  const { database, http, jobs } = parts;
  const reports = createReportsService({ ...parts, repository: createReportsRepository(database) });
  serveReports(http, reports);
  const ofModerators = { ...parts, repository: createCasesRepository(database) };
  const cases = createCasesService(ofModerators);
  serveCases(http, cases, createCaseDecisions({ ...ofModerators, cases, reports }));
  serveAppeals(http, createAppealsService(ofModerators));
  jobs.add({
    name: 'old reports',
    everyMs: DELETE_OLD_EVERY_MS,
    runs: 'site',
    run: () => reports.deleteOld(),
  });
  return reports;
}
