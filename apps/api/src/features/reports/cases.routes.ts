import { Readable } from 'node:stream';
import { claimCase, getCase, getCases, getReportStill, releaseCase } from '@mogakgong/contract';
import type { HttpServer } from '../../platform/http/index.ts';
import type { CasesService } from './cases.service.ts';

export function serveCases(http: HttpServer, cases: CasesService): void {
  http.serve(getCases, ({ caller, query }) => cases.list(caller, query.filter, query.before));
  http.serve(getCase, ({ caller, params }) => cases.get(caller, params.caseId));
  http.serve(getReportStill, async ({ caller, params }) =>
    Readable.from([await cases.getStill(caller, params.reportId)]),
  );
  http.serve(claimCase, ({ caller, params }) => cases.claim(caller, params.caseId));
  http.serve(releaseCase, ({ caller, params }) => cases.release(caller, params.caseId));
}
