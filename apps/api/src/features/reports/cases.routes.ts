import { Readable } from 'node:stream';
import {
  answerAppeal,
  claimCase,
  decideCase,
  getAppeals,
  getCase,
  getCases,
  getReportBoard,
  getReportBoardImage,
  getReportEvidence,
  getReportStill,
  liftSanction,
  releaseCase,
} from '@mogakgong/contract';
import { type HttpServer, sendJsonSlices } from '../../platform/http/index.ts';
import type { AppealsService } from './appeals.service.ts';
import type { CaseDecisions } from './case-decisions.service.ts';
import type { CasesService } from './cases.service.ts';

export function serveCases(http: HttpServer, cases: CasesService, decisions: CaseDecisions): void {
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

export function serveAppeals(http: HttpServer, appeals: AppealsService): void {
  http.serve(getAppeals, async ({ caller }) => ({ appeals: await appeals.list(caller) }));
  http.serve(answerAppeal, async ({ caller, params, body }) => ({
    appeals: await appeals.answer(caller, params.sanctionId, body),
  }));
  http.serve(liftSanction, async ({ caller, params }) => ({
    sanctions: await appeals.lift(caller, params.sanctionId),
  }));
}
