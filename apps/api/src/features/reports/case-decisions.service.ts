import {
  type CaseDetail,
  type CaseId,
  chatContent,
  type decideCase,
  type RouteInput,
  timedDecisions,
} from '@mogakgong/contract';
import { ApiError, type Moderator } from '../../platform/http/index.ts';
import { recordAudit } from '../audit/index.ts';
import type { Groups } from '../groups/index.ts';
import type { CasesParts, CasesService } from './cases.service.ts';
import type { ReportsService } from './reports.service.ts';

type DecisionRequest = RouteInput<typeof decideCase>['body'];

/** A decision with a reason unless no sanction is imposed, and with a period only if it has one. */
function checkedDecision({ decision, days, reason: given }: DecisionRequest) {
  const reason = chatContent(given) ?? '';
  const isTimed = timedDecisions.includes(decision);
  const isWhole = isTimed === (days !== undefined) && (decision === 'dismiss' || reason !== '');
  if (!isWhole) throw new ApiError('invalidRequest');
  return { decision, reason, ...(days !== undefined && { days }) };
}

/** Decisions on cases. */
export function createCaseDecisions(
  { repository, sanctions, database, clock }: CasesParts,
  cases: CasesService,
  { reports, groups }: { readonly reports: ReportsService; readonly groups: Groups },
) {
  return {
    /**
     * Closes a case that the caller has claimed: the decision, its sanction and its record are stored
     * together, with the texts that it takes from groups; then the sanction takes effect. Automatic sanctions until
     * this decision end.
     * @throws ApiError `invalidRequest`, `caseChanged`, `caseDecided`, `caseNotClaimed` or
     *   `caseOfReporter`, and as `cases.find`.
     */
    async decide(
      moderator: Moderator,
      caseId: CaseId,
      request: DecisionRequest,
    ): Promise<CaseDetail> {
      const { isReporter, reportedId } = await cases.find(moderator, caseId);
      if (isReporter) throw new ApiError('caseOfReporter');
      const { reason, ...checked } = checkedDecision(request);
      const { decision } = checked;
      const { userId: decidedBy } = moderator;
      const readUntil = new Date(request.readUntilMs);
      const changedGroups = await database.transaction().execute(async (transaction) => {
        // A role may have been granted or taken away during the request.
        const mayDecide = await repository.mayDecide(transaction, moderator, reportedId);
        if (!mayDecide) throw new ApiError('forbidden');
        const closed = { decision, reason, readUntil, now: clock.now() };
        const about = await repository.close(transaction, moderator, caseId, closed);
        if (!about) return null;
        const decided = { caseId, userId: reportedId, by: decidedBy };
        await sanctions.liftAutomatic(decided, transaction);
        if (decision !== 'dismiss') {
          // The person is told the room of a removal only: for other sanctions it would reveal the reporter.
          const roomId = decision === 'remove' ? about.roomId : null;
          const order = { userId: reportedId, roomId, caseId, decidedBy };
          await sanctions.impose({ ...order, ...checked, kind: decision, reason }, transaction);
        }
        const texts =
          request.withdrawsTexts && decision !== 'dismiss'
            ? await repository.findGroupTexts(transaction, caseId)
            : [];
        const changed = await groups.withdraw(transaction, texts);
        const details = {
          ...checked,
          ...(changed.length > 0 && { changedGroups: changed.length }),
        };
        const event = { actorId: decidedBy, subjectId: reportedId, caseId, details };
        await recordAudit(transaction, { action: 'caseDecided', ...event });
        return changed;
      });
      if (changedGroups) {
        sanctions.announce(reportedId);
        await reports.onDecided(caseId);
        // The decision stands, whether members can be told or not: they read the group again themselves.
        await Promise.allSettled(changedGroups.map((groupId) => groups.tell(groupId)));
      }
      const row = await cases.find(moderator, caseId);
      if (changedGroups) return cases.detail(row);
      if (row.status === 'decided') throw new ApiError('caseDecided');
      const isClaimed = row.claimedBy === decidedBy && row.lastReportAt > readUntil;
      throw new ApiError(isClaimed ? 'caseChanged' : 'caseNotClaimed');
    },
  };
}
