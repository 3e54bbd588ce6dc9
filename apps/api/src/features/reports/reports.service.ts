import {
  type createReport,
  type ReportId,
  type RouteInput,
  reportDescription,
  type UserId,
} from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import { reportWeight } from './report-weight.ts';
import type { ReportsRepository } from './reports.repository.ts';

const DAY_MS = 24 * 60 * 60_000;
/** How long a report is kept, and a still after the decision: the same as in the privacy policy. */
const REPORT_KEPT_MS = 365 * DAY_MS;
const STILL_KEPT_MS = 30 * DAY_MS;

type ReportRequest = RouteInput<typeof createReport>['body'];

interface ReportsParts {
  readonly repository: ReportsRepository;
  readonly clock: Clock;
}

/** What learners report about each other, for moderators to decide. */
export function createReportsService({ repository, clock }: ReportsParts) {
  return {
    /**
     * Stores a report with the conversation and who was there.
     * @throws ApiError `cannotReportYourself`, `reportedNotThere` or `alreadyReported`.
     */
    async report(reporterId: UserId, request: ReportRequest): Promise<ReportId> {
      const { reportedId, roomId, reason } = request;
      if (reporterId === reportedId) throw new ApiError('cannotReportYourself');
      const now = clock.now();
      const weight = reportWeight(await repository.findReporter(reporterId, now));
      const description = reportDescription(request.description);
      const { wasTogether, reportId } = await repository.store(
        { reporterId, reportedId, roomId, reason, description, weight },
        now,
      );
      if (!wasTogether) throw new ApiError('reportedNotThere');
      if (reportId === null) throw new ApiError('alreadyReported');
      return reportId;
    },

    /** Before an account is deleted: takes the learner from the reports of others, and from their own. */
    forget: (userId: UserId) => repository.forget(userId),

    /** Repeated: deletes reports after a year, and stills 30 days after the decision. */
    async deleteOld(): Promise<void> {
      const nowMs = clock.now().getTime();
      await repository.deleteStillsDecidedBefore(new Date(nowMs - STILL_KEPT_MS));
      await repository.deleteReportedBefore(new Date(nowMs - REPORT_KEPT_MS));
    },
  };
}

export type ReportsService = ReturnType<typeof createReportsService>;
