import {
  type CaseDetail,
  type CaseId,
  chatContent,
  type decideCase,
  type RouteInput,
  timedDecisions,
  type UserId,
} from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { ApiError, type Moderator } from '../../platform/http/index.ts';
import { recordAudit } from '../audit/index.ts';
import type { SanctionsService } from '../sanctions/index.ts';
import type { CasesRepository } from './cases.repository.ts';
import type { CasesService } from './cases.service.ts';
import type { ReportsService } from './reports.service.ts';

type DecisionRequest = RouteInput<typeof decideCase>['body'];

interface CaseDecisionsParts {
  readonly repository: CasesRepository;
  readonly cases: CasesService;
  readonly reports: Pick<ReportsService, 'onDecided'>;
  readonly sanctions: SanctionsService;
  readonly database: Database;
  readonly clock: Clock;
}

/** A decision with a reason unless nothing is imposed, and with a period only if it has one. */
function checkedDecision({ decision, days, reason: given }: DecisionRequest) {
  const reason = chatContent(given) ?? '';
  const isTimed = timedDecisions.includes(decision);
  const isWhole = isTimed === (days !== undefined) && (decision === 'dismiss' || reason !== '');
  if (!isWhole) throw new ApiError('invalidRequest');
  return { decision, reason, ...(days !== undefined && { days }) };
}

/** What has ended at the same moment need not be lifted. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof ApiError && error.row === 'sanctionNotFound')) throw error;
}

/** Decisions on cases. */
export function createCaseDecisions(parts: CaseDecisionsParts) {
  const { repository, cases, reports, sanctions, database, clock } = parts;

  /** What the product has imposed because of this case until somebody decides it. */
  async function findPending(userId: UserId, caseId: CaseId): Promise<number[]> {
    const now = clock.now();
    const imposed = await sanctions.listOf(userId);
    return imposed
      .filter(({ case_id, rule }) => case_id === caseId && rule !== null)
      .filter(({ lifted_at, ends_at }) => lifted_at === null && (ends_at ?? now) >= now)
      .map(({ id }) => id);
  }

  return {
    /**
     * Closes a case that the caller has claimed: the decision, its sanction and its record are stored
     * together, then the sanction takes effect. What the product imposed until this decision ends.
     * @throws ApiError `invalidRequest`, `caseDecided`, `caseNotClaimed` or `caseOfReporter`, and as
     * `cases.find`.
     */
    async decide(
      moderator: Moderator,
      caseId: CaseId,
      request: DecisionRequest,
    ): Promise<CaseDetail> {
      const { isReporter, reportedId } = await cases.find(moderator, caseId);
      if (isReporter) throw new ApiError('caseOfReporter');
      const { reason, ...details } = checkedDecision(request);
      const { decision } = details;
      const pending = await findPending(reportedId, caseId);
      const { userId: decidedBy } = moderator;
      const isDecided = await database.transaction().execute(async (transaction) => {
        const closed = { decision, reason, now: clock.now() };
        const about = await repository.close(transaction, moderator, caseId, closed);
        if (!about) return false;
        for (const sanctionId of pending) {
          await sanctions.lift({ sanctionId, by: decidedBy }, transaction).catch(ignoreEnded);
        }
        if (decision !== 'dismiss') {
          const order = { userId: reportedId, roomId: about.roomId, caseId, decidedBy };
          await sanctions.impose({ ...order, ...details, kind: decision, reason }, transaction);
        }
        const event = { actorId: decidedBy, subjectId: reportedId, caseId, details };
        await recordAudit(transaction, { action: 'caseDecided', ...event });
        return true;
      });
      if (isDecided) {
        sanctions.announce(reportedId);
        await reports.onDecided(caseId);
      }
      const row = await cases.find(moderator, caseId);
      if (isDecided) return cases.detail(row);
      throw new ApiError(row.status === 'decided' ? 'caseDecided' : 'caseNotClaimed');
    },
  };
}

export type CaseDecisions = ReturnType<typeof createCaseDecisions>;
