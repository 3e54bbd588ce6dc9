import * as z from 'zod/mini';
import { chatContent } from './chat.ts';
import { ServerTimeMs } from './focus/clock.ts';
import { ReportId, RoomId, UserId } from './ids.ts';
import { route } from './route.ts';

/** Why somebody is reported (specification §3). */
export const ReportReason = z.enum(['ABUSE', 'OBSCENE_CONTENT', 'DISTURBANCE']);
export type ReportReason = z.infer<typeof ReportReason>;

/** Longest description of a report (specification §9). */
export const REPORT_DESCRIPTION_MAX_LENGTH = 500;
/** Reporter and reported person were in one room so long ago at most. */
export const REPORT_WITHIN_MS = 10 * 60_000;

/** A description as it is stored: as a chat message is, without what is invisible; '' for none. */
export const reportDescription = (text = ''): string => chatContent(text) ?? '';

export const createReport = route({
  method: 'POST',
  path: '/api/reports',
  summary: 'Reports a learner who was in the same room within the last ten minutes',
  access: 'login',
  body: z.object({
    roomId: RoomId,
    reportedId: UserId,
    reason: ReportReason,
    description: z.optional(z.string().check(z.maxLength(REPORT_DESCRIPTION_MAX_LENGTH))),
    /** Whether the whiteboard of the room, as it is now, goes with the report. */
    withBoard: z.optional(z.boolean()),
  }),
  reply: z.object({ reportId: ReportId }),
  errors: ['unauthorized', 'cannotReportYourself', 'reportedNotThere', 'alreadyReported'],
  limit: 'reports',
});

/** Width and height of a still, in pixels, at most: the size of a camera's picture. */
export const REPORT_STILL_PX = { width: 640, height: 360 } as const;

export const addReportStill = route({
  method: 'PUT',
  path: '/api/reports/:reportId/still',
  summary:
    "Adds a still of the reported person's camera to one's own report: once, within 5 minutes",
  access: 'login',
  params: z.object({ reportId: ReportId }),
  body: z.object({ still: z.file() }),
  bodyType: 'multipart',
  reply: z.object({}),
  errors: [
    'unauthorized',
    'reportNotFound',
    'stillNotTaken',
    'unsupportedMediaType',
    'imageUnsupported',
    'imageUnreadable',
    'imageTooManyPixels',
  ],
  limit: 'reportStills',
});

/**
 * What came of a report: `received`, a moderator looks into it (`inReview`), or the answer, which does
 * not say what was done about the person.
 */
const ReportState = z.enum(['received', 'inReview', 'actionTaken', 'noViolation']);
export type ReportState = z.infer<typeof ReportState>;

/** Own reports that are shown. */
export const OWN_REPORTS_SHOWN = 100;

const OwnReport = z.object({
  reportId: ReportId,
  /** The name of the reported person when they were reported. */
  nickname: z.string(),
  reason: ReportReason,
  description: z.string(),
  reportedAtMs: ServerTimeMs,
  state: ReportState,
  /** Null until it is decided. */
  decidedAtMs: z.nullable(ServerTimeMs),
});
export type OwnReport = z.infer<typeof OwnReport>;

export const getOwnReports = route({
  method: 'GET',
  path: '/api/reports/mine',
  summary:
    'What the caller reported within a year and what came of it, newest first, OWN_REPORTS_SHOWN at most',
  access: 'login',
  reply: z.object({ reports: z.array(OwnReport) }),
  errors: ['unauthorized'],
});
