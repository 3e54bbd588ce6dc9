import {
  type createReport,
  DAY_MS,
  type GroupId,
  type OwnReport,
  REPORT_STILL_PX,
  type ReportId,
  type ReportState,
  type RouteInput,
  reportDescription,
  type reportGroup,
  type UserId,
} from '@mogakgong/contract';
import { ApiError } from '../../platform/http/index.ts';
import type { FocusService } from '../focus/index.ts';
import type { Groups } from '../groups/index.ts';
import type { ImagesService, PictureSize } from '../images/index.ts';
import type { PushService } from '../push/index.ts';
import type { Notices } from '../realtime/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { applyAutomaticMeasure } from './automatic-measure.ts';
import { reportWeight } from './report-weight.ts';
import { createReportsRepository, DISMISS, type OwnReportRow } from './reports.repository.ts';

/** How long a report is kept, and a still or a board after the decision: the same as in the privacy policy. */
const REPORT_KEPT_MS = 365 * DAY_MS;
const PICTURES_KEPT_MS = 30 * DAY_MS;
/** A still is accepted within this time: the page sends it automatically after the report. */
const STILL_WITHIN_MS = 5 * 60_000;

const STILL_SIZE: PictureSize = {
  widthPx: REPORT_STILL_PX.width,
  heightPx: REPORT_STILL_PX.height,
  fit: 'inside',
};

type ReportRequest = RouteInput<typeof createReport>['body'];
type GroupReport = RouteInput<typeof reportGroup>['body'];

export interface ReportsUses {
  readonly images: ImagesService;
  readonly notices: Notices;
  readonly push: PushService;
  readonly groups: Groups;
  readonly focus: Pick<FocusService, 'findShownDays'>;
}

/** Reports of learners about each other, for moderators to decide. */
export function createReportsService(
  { database, sanctions, clock, checkedClock }: AppContext,
  { images, notices, push, groups, focus }: ReportsUses,
) {
  const repository = createReportsRepository(database);

  return {
    /**
     * Stores a report with the conversation, the learners present, the subject on the person's tile and, if requested, the whiteboard.
     * @throws ApiError `cannotReportYourself`, `reportedNotThere` or `alreadyReported`.
     */
    async report(reporterId: UserId, request: ReportRequest): Promise<ReportId> {
      const { reportedId, roomId, reason } = request;
      if (reporterId === reportedId) throw new ApiError('cannotReportYourself');
      const now = checkedClock.now();
      const weight = reportWeight(await repository.findReporter(reporterId, now));
      const description = reportDescription(request.description);
      const { withBoard = false } = request;
      const subject = (await focus.findShownDays([reportedId])).get(reportedId)?.subject;
      const what = { reportedId, roomId, reason, description, withBoard };
      const report = { reporterId, ...what, weight, subject };
      const stored = await repository.store(report, now, (transaction, caseId) =>
        applyAutomaticMeasure(transaction, sanctions, report, caseId),
      );
      if (!stored.wasTogether) throw new ApiError('reportedNotThere');
      if (stored.reportId === null) throw new ApiError('alreadyReported');
      if (stored.followed) sanctions.announce(reportedId);
      return stored.reportId;
    },

    /**
     * Stores a report about the author of a text of a group, with all its texts in the place of a conversation.
     * @throws ApiError `groupNotFound`, `cannotReportYourself` or `alreadyReported`.
     */
    async reportGroup(reporterId: UserId, groupId: GroupId, request: GroupReport): Promise<void> {
      const found = await groups.findReportable(reporterId, groupId, request.text);
      const { reported, texts, groupName } = found;
      const { authorId: reportedId, roomId } = reported;
      if (reporterId === reportedId) throw new ApiError('cannotReportYourself');
      const now = checkedClock.now();
      const stored = await repository.store(
        {
          ...{ reporterId, reportedId, roomId, reason: request.reason, withBoard: false },
          description: reportDescription(request.description),
          weight: reportWeight(await repository.findReporter(reporterId, now)),
          groupTexts: { groupName, reported, texts },
        },
        now,
        async () => undefined,
      );
      if (stored.reportId === null) throw new ApiError('alreadyReported');
    },

    /**
     * Adds a still to the caller's own report; only moderators can see it.
     * @throws ApiError `reportNotFound`, `stillNotTaken`, or as `images.reEncode`.
     */
    async addStill(reporterId: UserId, reportId: ReportId, still: Uint8Array): Promise<void> {
      const since = new Date(clock.now().getTime() - STILL_WITHIN_MS);
      const takesStill = await repository.takesStill(reportId, reporterId, since);
      if (takesStill === undefined) throw new ApiError('reportNotFound');
      if (!takesStill) throw new ApiError('stillNotTaken');
      const image = await images.reEncode(reporterId, still, STILL_SIZE);
      const isFirst = await repository.insertStill(reportId, image, clock.now());
      if (!isFirst) throw new ApiError('stillNotTaken');
    },

    /** A learner's own reports, newest first. */
    async listOwn(reporterId: UserId): Promise<OwnReport[]> {
      return (await repository.findOwn(reporterId)).map((row) => ({
        reportId: row.reportId,
        nickname: row.nickname,
        reason: row.reason,
        description: row.description,
        reportedAtMs: row.createdAt.getTime(),
        state: stateOf(row),
        decidedAtMs: row.decidedAt?.getTime() ?? null,
      }));
    },

    /** After a decision: tells the reporters, wherever they are connected. */
    async onDecided(caseId: number): Promise<void> {
      const reporterIds = await repository.findReporterIds(caseId);
      for (const userId of reporterIds) notices.send(userId, { kind: 'reportDecided' });
      void push.send(reporterIds, { id: `case:${caseId}`, kind: 'decision' });
    },

    /** Before an account is deleted: removes the learner from the reports of others, and from their own. */
    forget: (userId: UserId) => repository.forget(userId),

    /** Repeated: deletes reports after a year, stills and boards 30 days after the decision. */
    async deleteOld(): Promise<void> {
      const nowMs = clock.now().getTime();
      await repository.deletePicturesDecidedBefore(new Date(nowMs - PICTURES_KEPT_MS));
      await repository.deleteReportedBefore(new Date(nowMs - REPORT_KEPT_MS));
    },
  };
}

/** The answer tells whether a measure was taken, not which. */
function stateOf({ status, decision }: OwnReportRow): ReportState {
  if (status === 'decided') return decision === DISMISS ? 'noViolation' : 'actionTaken';
  return status === 'claimed' ? 'inReview' : 'received';
}

export type ReportsService = ReturnType<typeof createReportsService>;
