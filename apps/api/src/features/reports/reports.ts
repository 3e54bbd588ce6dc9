import { Readable } from 'node:stream';
import {
  addReportStill,
  answerAppeal,
  claimCase,
  createReport,
  decideCase,
  getAppeals,
  getCase,
  getCases,
  getOwnReports,
  getReportBoard,
  getReportBoardImage,
  getReportEvidence,
  getReportStill,
  HOUR_MS,
  liftSanction,
  releaseCase,
  reportGroup,
} from '@mogakgong/contract';
import { sendJsonSlices } from '../../platform/http/index.ts';
import type { Groups } from '../groups/index.ts';
import type { PushService } from '../push/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { createAppealsService } from './appeals.service.ts';
import { createCaseDecisions } from './case-decisions.service.ts';
import { createCasesRepository } from './cases.repository.ts';
import { type CasesParts, createCasesService } from './cases.service.ts';
import { createReportsService, type ReportsService, type ReportsUses } from './reports.service.ts';

/** Reports of learners with their evidence, and the moderators' cases about them. */
export function createReports(context: AppContext, uses: ReportsUses): ReportsService {
  const { database, http, jobs } = context;
  const reports = createReportsService(context, uses);

  http.serve(createReport, async ({ caller, body }) => ({
    reportId: await reports.report(caller.userId, body),
  }));
  http.serve(reportGroup, async ({ caller, params, body }) => {
    await reports.reportGroup(caller.userId, params.groupId, body);
    return params;
  });
  http.serve(addReportStill, async ({ caller, params, body }) => {
    await reports.addStill(caller.userId, params.reportId, body.still);
    return {};
  });
  http.serve(getOwnReports, async ({ caller }) => ({
    reports: await reports.listOwn(caller.userId),
  }));

  const parts = { ...context, repository: createCasesRepository(database) };
  serveCases(parts, { reports, groups: uses.groups });
  serveAppeals(parts, uses.push);
  const deleteOld = () => reports.deleteOld();
  jobs.add({ name: 'old reports', everyMs: HOUR_MS, runs: 'site', run: deleteOld });
  return reports;
}

function serveCases(
  parts: CasesParts,
  uses: { readonly reports: ReportsService; readonly groups: Groups },
): void {
  const { http } = parts;
  const cases = createCasesService(parts);
  const decisions = createCaseDecisions(parts, cases, uses);
  http.serve(getCases, ({ caller, query }) => cases.list(caller, query.filter, query.before));
  http.serve(getCase, ({ caller, params }) => cases.get(caller, params.caseId));
  http.serve(getReportStill, async ({ caller, params }) =>
    Readable.from([await cases.getStill(caller, params.reportId)]),
  );
  http.serve(getReportEvidence, async ({ caller, params, reply }) =>
    sendJsonSlices(reply, await cases.getEvidence(caller, params.reportId)),
  );
  http.serve(getReportBoard, async ({ caller, params, reply }) =>
    sendJsonSlices(reply, await cases.getBoard(caller, params.reportId)),
  );
  http.serve(getReportBoardImage, async ({ caller, params }) =>
    Readable.from([await cases.getBoardImage(caller, params.reportId, params.imageId)]),
  );
  http.serve(claimCase, ({ caller, params }) => cases.claim(caller, params.caseId));
  http.serve(releaseCase, ({ caller, params }) => cases.release(caller, params.caseId));
  http.serve(decideCase, ({ caller, params, body }) =>
    decisions.decide(caller, params.caseId, body),
  );
}

function serveAppeals(parts: CasesParts, push: PushService): void {
  const { http } = parts;
  const appeals = createAppealsService(parts, push);
  http.serve(getAppeals, async ({ caller }) => ({ appeals: await appeals.list(caller) }));
  http.serve(answerAppeal, async ({ caller, params, body }) => ({
    appeals: await appeals.answer(caller, params.sanctionId, body),
  }));
  http.serve(liftSanction, async ({ caller, params }) => ({
    sanctions: await appeals.lift(caller, params.sanctionId),
  }));
}
