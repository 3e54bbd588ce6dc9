import * as z from 'zod/mini';
import { chatContent } from './chat.ts';
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
  }),
  reply: z.object({ reportId: ReportId }),
  errors: ['unauthorized', 'cannotReportYourself', 'reportedNotThere', 'alreadyReported'],
  limit: 'reports',
});
