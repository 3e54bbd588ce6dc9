import * as z from 'zod/mini';
import { NamedAccount } from './audit.ts';
import { CaseId, ReportId, RoomId, UserId } from './ids.ts';
import { ReportReason } from './reports.ts';
import { route } from './route.ts';

/** A moderator keeps a claimed case for so long; then another may take it over. */
export const CASE_CLAIM_MS = 30 * 60_000;
/** Cases of one page. */
export const CASES_PAGE = 50;
/** Days that a moderator can choose for what ends. */
export const sanctionDays = [1, 7, 30] as const;
/** Longest reason of a decision. */
export const DECISION_REASON_MAX_LENGTH = 500;

/** What a moderator can decide: nothing, or a sanction of that kind. */
export const Decision = z.enum([
  'dismiss',
  'warn',
  'muteChat',
  'cameraOff',
  'remove',
  'suspend',
  'ban',
]);
export type Decision = z.infer<typeof Decision>;

/** The decisions that hold for a number of days. */
export const timedDecisions: readonly Decision[] = ['muteChat', 'cameraOff', 'suspend'];

const Timestamp = z.number();

/** Everything reported about one person until it is decided, as the queue shows it. */
export const CaseSummary = z.object({
  caseId: CaseId,
  reported: NamedAccount,
  status: z.enum(['open', 'claimed', 'decided']),
  openedAtMs: Timestamp,
  lastReportAtMs: Timestamp,
  /** Every reason given, once. */
  reasons: z.array(ReportReason),
  reportCount: z.int(),
  /** The sum of what the reports count, each 0 to 1. */
  weight: z.number(),
  claimedBy: z.nullable(NamedAccount),
  /** When another moderator may take it over. */
  claimEndsAtMs: z.nullable(Timestamp),
  /** Whether the caller has reported the person, and so cannot decide. */
  isReporter: z.boolean(),
  decidedBy: z.nullable(NamedAccount),
  decidedAtMs: z.nullable(Timestamp),
  decision: z.nullable(Decision),
  decisionReason: z.nullable(z.string()),
});
export type CaseSummary = z.infer<typeof CaseSummary>;

/** One report of a case, with the conversation and who was there, as they were then. */
const CaseReport = z.object({
  reportId: ReportId,
  /** Null once their account is deleted. */
  reporter: z.nullable(NamedAccount),
  reason: ReportReason,
  description: z.string(),
  roomId: RoomId,
  createdAtMs: Timestamp,
  weight: z.number(),
  hasStill: z.boolean(),
  messages: z.array(
    z.object({ senderId: UserId, nickname: z.string(), content: z.string(), sentAtMs: Timestamp }),
  ),
  statuses: z.array(
    z.object({
      userId: UserId,
      nickname: z.string(),
      status: z.enum(['idle', 'focus', 'pause', 'away']),
      sinceMs: Timestamp,
      leftAtMs: z.nullable(Timestamp),
    }),
  ),
});
export type CaseReport = z.infer<typeof CaseReport>;

export const CaseDetail = z.object({
  ...CaseSummary.shape,
  /** Newest first. */
  reports: z.array(CaseReport),
  /** Other cases about the person, newest first. */
  formerCases: z.array(
    z.object({
      caseId: CaseId,
      reasons: z.array(ReportReason),
      decidedAtMs: Timestamp,
      decision: Decision,
      decisionReason: z.string(),
    }),
  ),
});
export type CaseDetail = z.infer<typeof CaseDetail>;

/** Cases that wait; those the caller has claimed; those that are decided. */
export const CaseFilter = z.enum(['open', 'mine', 'decided']);
export type CaseFilter = z.infer<typeof CaseFilter>;

export const getCases = route({
  method: 'GET',
  path: '/api/moderation/cases',
  summary:
    'The cases of the queue, the most serious and newest first; decided ones newest first, a page at a time',
  access: 'moderator',
  query: z.object({
    filter: CaseFilter,
    /** Cases decided before: `next` of the page before. */
    before: z.optional(z.int().check(z.positive(), z.lte(Number.MAX_SAFE_INTEGER))),
  }),
  reply: z.object({ cases: z.array(CaseSummary), next: z.nullable(z.int()) }),
  errors: ['unauthorized', 'moderatorsOnly'],
  limit: 'moderation',
});

const ofCase = z.object({ caseId: CaseId });
const caseErrors = ['unauthorized', 'moderatorsOnly', 'caseNotFound', 'caseNeedsAdmin'] as const;

export const getCase = route({
  method: 'GET',
  path: '/api/moderation/cases/:caseId',
  summary: 'A case with its reports, their evidence, and former cases about the person',
  access: 'moderator',
  params: ofCase,
  reply: CaseDetail,
  errors: caseErrors,
  limit: 'moderation',
});

export const getReportStill = route({
  method: 'GET',
  path: '/api/moderation/reports/:reportId/still',
  summary: 'The picture that a reporter has attached, as a WebP file',
  access: 'moderator',
  params: z.object({ reportId: ReportId }),
  reply: z.file(),
  replyType: 'image/webp',
  errors: [...caseErrors, 'stillNotFound'],
  limit: 'moderation',
});

export const claimCase = route({
  method: 'POST',
  path: '/api/moderation/cases/:caseId/claim',
  summary: 'Claims a case for the caller, who alone can decide it then',
  access: 'moderator',
  params: ofCase,
  reply: CaseDetail,
  errors: [...caseErrors, 'caseClaimed', 'caseDecided', 'caseOfReporter'],
  limit: 'moderation',
});

export const releaseCase = route({
  method: 'DELETE',
  path: '/api/moderation/cases/:caseId/claim',
  summary: 'Gives a claimed case back; one that is not the caller’s stays as it is',
  access: 'moderator',
  params: ofCase,
  reply: CaseDetail,
  errors: caseErrors,
  limit: 'moderation',
});
