import {
  CASE_CLAIM_MS,
  CASES_PAGE,
  type CaseDetail,
  type CaseFilter,
  type CaseId,
  type CaseReport,
  type CaseSummary,
  type getCases,
  type NamedAccount,
  type PersonSanction,
  type ReportId,
  type RoomId,
  type RouteReply,
  type UserId,
} from '@mogakgong/contract';
import { ApiError, jsonSlices, type Moderator } from '../../platform/http/index.ts';
import type { AppContext, StoredSanction } from '../sanctions/index.ts';
import type { CaseReportRow, CaseRow, CasesRepository } from './cases.repository.ts';

/** The dependencies of the work of moderators. */
export interface CasesParts extends AppContext {
  readonly repository: CasesRepository;
}

const named = (userId: UserId | null, nickname: string | null): NamedAccount | null =>
  userId === null ? null : { userId, nickname };

function toSummary(row: CaseRow): CaseSummary {
  const claimedAtMs = row.claimedAt?.getTime() ?? null;
  return {
    caseId: row.id,
    reported: { userId: row.reportedId, nickname: row.reportedName },
    status: row.status,
    openedAtMs: row.openedAt.getTime(),
    lastReportAtMs: row.lastReportAt.getTime(),
    reasons: row.reasons,
    reportCount: row.reportCount,
    weight: row.weight,
    claimedBy: named(row.claimedBy, row.claimedByName),
    claimEndsAtMs: claimedAtMs === null ? null : claimedAtMs + CASE_CLAIM_MS,
    isReporter: row.isReporter,
    decidedBy: named(row.decidedBy, row.decidedByName),
    decidedAtMs: row.decidedAt?.getTime() ?? null,
    decision: row.decision,
    decisionReason: row.decisionReason,
  };
}

const toReport = (row: CaseReportRow): CaseReport => ({
  reportId: row.id,
  reporter: named(row.reporterId, row.reporterName),
  reason: row.reason,
  description: row.description,
  roomId: row.roomId as RoomId,
  createdAtMs: row.createdAt.getTime(),
  weight: row.weight,
  hasStill: row.hasStill,
  hasBoard: row.hasBoard,
  ...(row.groupText && { groupText: row.groupText }),
});

/** A sanction as moderators see it. */
export function toPersonSanction(row: StoredSanction): PersonSanction {
  return {
    sanctionId: row.id,
    kind: row.kind,
    rule: row.rule,
    reason: row.reason,
    caseId: row.caseId as CaseId | null,
    imposedAtMs: row.imposedAt.getTime(),
    endsAtMs: row.endsAt?.getTime() ?? null,
    liftedAtMs: row.liftedAt?.getTime() ?? null,
    appeal: row.appealedAt && {
      text: row.appealText ?? '',
      atMs: row.appealedAt.getTime(),
      outcome: row.appealOutcome,
      answer: row.appealAnswer,
    },
  };
}

/** Moderators' work with cases. */
export function createCasesService({ repository, sanctions, clock }: CasesParts) {
  /** @throws ApiError `caseNotFound`, also for one about the caller, or `caseNeedsAdmin`. */
  async function find(moderator: Moderator, caseId: CaseId): Promise<CaseRow> {
    const row = await repository.findOne(moderator, caseId);
    if (!row) throw new ApiError('caseNotFound');
    if (row.needsAdmin && moderator.role !== 'admin') throw new ApiError('caseNeedsAdmin');
    return row;
  }

  async function detail(row: CaseRow): Promise<CaseDetail> {
    const [reports, formerCases, imposed] = await Promise.all([
      repository.findReports(row.id),
      repository.findFormerCases(row.reportedId, row.id),
      sanctions.listOf(row.reportedId),
    ]);
    return {
      ...toSummary(row),
      reports: reports.map(toReport),
      formerCases: formerCases.map(({ id, decidedAt, decisionReason, ...former }) => ({
        ...former,
        caseId: id,
        decidedAtMs: decidedAt.getTime(),
        decisionReason: decisionReason ?? '',
      })),
      sanctions: imposed.map(toPersonSanction),
    };
  }

  return {
    find,
    detail,
    ...createAttachments(repository, find),

    async list(
      moderator: Moderator,
      filter: CaseFilter,
      beforeMs?: number,
    ): Promise<RouteReply<typeof getCases>> {
      const before = beforeMs === undefined ? null : new Date(beforeMs);
      const rows = await repository.find(moderator, filter, before);
      const page = rows.slice(0, CASES_PAGE);
      const hasMore = filter === 'decided' && rows.length > CASES_PAGE;
      const next = hasMore ? (page.at(-1)?.decidedAt?.getTime() ?? null) : null;
      return { cases: page.map(toSummary), next };
    },

    /**
     * A case with its reports; records that it was read.
     * @throws as `find`.
     */
    async get(moderator: Moderator, caseId: CaseId): Promise<CaseDetail> {
      const row = await find(moderator, caseId);
      await repository.recordReading(moderator, caseId, row.reportedId);
      return detail(row);
    },

    /** @throws ApiError `caseClaimed`, `caseDecided` or `caseOfReporter`, and as `find`. */
    async claim(moderator: Moderator, caseId: CaseId): Promise<CaseDetail> {
      const { isReporter } = await find(moderator, caseId);
      if (isReporter) throw new ApiError('caseOfReporter');
      const isClaimed = await repository.claim(moderator, caseId, clock.now());
      const row = await find(moderator, caseId);
      if (!isClaimed) throw new ApiError(row.status === 'decided' ? 'caseDecided' : 'caseClaimed');
      return detail(row);
    },

    /** The reports, also for a moderator without a claim. @throws as `find`. */
    async release(moderator: Moderator, caseId: CaseId): Promise<CaseDetail> {
      const { reportedId } = await find(moderator, caseId);
      await repository.recordReading(moderator, caseId, reportedId);
      await repository.release(moderator, caseId);
      return detail(await find(moderator, caseId));
    },
  };
}

/**
 * The attachments of reports, returned one by one.
 * @param find refuses callers without access to a case.
 */
function createAttachments(
  repository: CasesRepository,
  find: (moderator: Moderator, caseId: CaseId) => Promise<CaseRow>,
) {
  return {
    /** @throws ApiError `stillNotFound`, and as `find`, also for a missing report. */
    async getStill(moderator: Moderator, reportId: ReportId): Promise<Buffer> {
      const still = await repository.findStill(reportId);
      // The same as for a report about the caller, which stays secret.
      if (!still) throw new ApiError('caseNotFound');
      const { reportedId } = await find(moderator, still.caseId);
      if (!still.image) throw new ApiError('stillNotFound');
      await repository.recordReading(moderator, still.caseId, reportedId);
      return still.image;
    },

    /**
     * The JSON of the conversation and the learners present.
     * @throws as `find`, also for a missing report.
     */
    async getEvidence(moderator: Moderator, reportId: ReportId): Promise<readonly Buffer[]> {
      const evidence = await repository.findEvidence(reportId);
      if (!evidence) throw new ApiError('caseNotFound');
      const { caseId, messages, statuses } = evidence;
      const { reportedId } = await find(moderator, caseId);
      await repository.recordReading(moderator, caseId, reportedId);
      return jsonSlices({ reportedId }, { messages, statuses });
    },

    /**
     * The JSON of the board.
     * @throws ApiError `notFound`, and as `find`, also for a missing report.
     */
    async getBoard(moderator: Moderator, reportId: ReportId): Promise<readonly Buffer[]> {
      const board = await repository.findBoard(reportId);
      if (!board) throw new ApiError('caseNotFound');
      const { reportedId } = await find(moderator, board.caseId);
      const { elements, authors } = board;
      if (!elements || !authors) throw new ApiError('notFound');
      await repository.recordReading(moderator, board.caseId, reportedId);
      return jsonSlices({ reportedId }, { authors, elements });
    },

    /** @throws ApiError `notFound`, and as `find`, also for a missing report. */
    async getBoardImage(
      moderator: Moderator,
      reportId: ReportId,
      imageId: string,
    ): Promise<Buffer> {
      const picture = await repository.findBoardImage(reportId, imageId);
      if (!picture) throw new ApiError('caseNotFound');
      const { reportedId } = await find(moderator, picture.caseId);
      if (!picture.image) throw new ApiError('notFound');
      await repository.recordReading(moderator, picture.caseId, reportedId);
      return picture.image;
    },
  };
}

export type CasesService = ReturnType<typeof createCasesService>;
