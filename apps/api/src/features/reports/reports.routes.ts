import { addReportStill, createReport, getOwnReports } from '@mogakgong/contract';
import type { HttpServer } from '../../platform/http/index.ts';
import type { ReportsService } from './reports.service.ts';

export function serveReports(http: HttpServer, reports: ReportsService): void {
  http.serve(createReport, async ({ caller, body }) => ({
    reportId: await reports.report(caller.userId, body),
  }));

  http.serve(addReportStill, async ({ caller, params, body }) => {
    await reports.addStill(caller.userId, params.reportId, body.still);
    return {};
  });

  http.serve(getOwnReports, async ({ caller }) => ({
    reports: await reports.listOwn(caller.userId),
  }));
}
