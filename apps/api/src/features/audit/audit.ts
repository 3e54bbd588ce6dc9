import type { Database } from '../../platform/database/index.ts';
import type { HttpServer } from '../../platform/http/index.ts';
import type { Jobs } from '../../platform/jobs/index.ts';
import { createAuditRepository } from './audit.repository.ts';
import { type AuditParts, serveAudit } from './audit.routes.ts';

const DELETE_OLD_EVERY_MS = 60 * 60_000;

interface AuditFeatureParts extends Omit<AuditParts, 'repository'> {
  readonly database: Database;
  readonly http: HttpServer;
  readonly jobs: Jobs;
}

/** The audit log: actions of moderators, admins and the product on people. */
export function createAudit({ database, http, jobs, findCards }: AuditFeatureParts): void {
  const repository = createAuditRepository(database);
  serveAudit(http, { repository, findCards });
  jobs.add({
    name: 'old audit events',
    everyMs: DELETE_OLD_EVERY_MS,
    runs: 'site',
    run: repository.deleteOld,
  });
}
