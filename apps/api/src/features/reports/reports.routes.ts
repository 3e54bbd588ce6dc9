import { createReport } from '@mogakgong/contract';
import type { HttpServer } from '../../platform/http/index.ts';
import type { ReportsService } from './reports.service.ts';

export function serveReports(http: HttpServer, reports: ReportsService): void {
  http.serve(createReport, async ({ caller, body }) => ({
    reportId: await reports.report(caller.userId, body),
  }));
}
