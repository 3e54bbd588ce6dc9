import * as z from 'zod/mini';
import { chatContent } from './chat.ts';
import { HOUR_MS } from './durations.ts';
import { ReportId, RoomId, UserId } from './ids.ts';
import type { RateLimit } from './limits.ts';
import { route } from './route.ts';
import { ServerTimeMs } from './server-time.ts';

/** Reasons of a report (specification §3). */
export const ReportReason = z.enum(['ABUSE', 'OBSCENE_CONTENT', 'DISTURBANCE']);
export type ReportReason = z.infer<typeof ReportReason>;

/** Reports of any kind. */
export const reportsRate: RateLimit = { name: 'reports', max: 5, windowMs: HOUR_MS, per: 'user' };

/** Longest description of a report (specification §9). */
export const REPORT_DESCRIPTION_MAX_LENGTH = 500;
/** Reporter and reported person were in one room within this time. */
export const REPORT_WITHIN_MS = 10 * 60_000;

/** A description as it is stored: like a chat message, without invisible text; '' for none. */
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
    /** Whether the room's present whiteboard is attached to the report. */
    withBoard: z.optional(z.boolean()),
  }),
  /** The specification does not show the answer: without an id no still can be added. */
  reply: z.object({ reportId: z.optional(ReportId) }),
  errors: [
    'unauthorized',
    'cannotReportYourself',
    'reportedNotThere',
    'alreadyReported',
    'clockWrong',
  ],
  limit: reportsRate,
});

/** Maximum width and height of a still, in pixels: the size of a camera's picture. */
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
  limit: { name: 'reportStills', max: 5, windowMs: HOUR_MS, per: 'user' },
});

/**
 * State of a report: `received`, under review (`inReview`), or the outcome, which does not reveal the measure
 * against the person.
 */
const ReportState = z.enum(['received', 'inReview', 'actionTaken', 'noViolation']);
export type ReportState = z.infer<typeof ReportState>;

/** Maximum number of own reports that are shown. */
export const OWN_REPORTS_SHOWN = 100;

const OwnReport = z.object({
  reportId: ReportId,
  /** The reported person's name at the time of the report; of a report about a group, the name of the group. */
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
    'Reports by the caller within a year, with their outcomes, newest first, OWN_REPORTS_SHOWN at most',
  access: 'login',
  reply: z.object({ reports: z.array(OwnReport) }),
  errors: ['unauthorized'],
});
