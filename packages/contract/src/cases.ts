import * as z from 'zod/mini';
import { NamedAccount } from './audit.ts';
import { BoardElement, BoardImageId } from './board-element.ts';
import { GroupTextKind } from './groups/groups.ts';
import { CaseId, ReportId, RoomId, UserId } from './ids.ts';
import { moderationRate } from './limits.ts';
import { ReportReason } from './reports.ts';
import { route } from './route.ts';
import { automaticRules, SanctionId, sanctionKinds, suspensionDays } from './sanctions.ts';

/** How long a claimed case stays with its moderator; afterwards another may take it over. */
export const CASE_CLAIM_MS = 30 * 60_000;
/** Cases of one page. */
export const CASES_PAGE = 50;
/** Maximum number of earlier cases about the same person that are shown. */
export const FORMER_CASES_MAX = 20;
/** Maximum number of reports of a case that are shown. */
export const CASE_REPORTS_MAX = 50;
/** Longest reason of a decision, and longest answer to an appeal. */
export const DECISION_REASON_MAX_LENGTH = 500;

/** A moderator's decision: no action, or a sanction of that kind. */
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

/** Decisions with a length in days that the moderator chooses: one of `suspensionDays`. */
export const timedDecisions: readonly Decision[] = ['muteChat', 'cameraOff', 'suspend'];

const Timestamp = z.number();
/** The last moment that a `Date` can hold. */
export const LATEST_MS = 8_640_000_000_000_000;

/** Everything reported about one person until it is decided, as the queue shows it. */
export const CaseSummary = z.object({
  caseId: CaseId,
  reported: NamedAccount,
  status: z.enum(['open', 'claimed', 'decided']),
  openedAtMs: Timestamp,
  lastReportAtMs: Timestamp,
  /** All reasons given, without repetition. */
  reasons: z.array(ReportReason),
  reportCount: z.int(),
  /** The sum of the reports' weights, each 0 to 1. */
  weight: z.number(),
  claimedBy: z.nullable(NamedAccount),
  /** When another moderator may take it over. */
  claimEndsAtMs: z.nullable(Timestamp),
  /** Whether the caller has reported the person, and therefore cannot decide. */
  isReporter: z.boolean(),
  decidedBy: z.nullable(NamedAccount),
  decidedAtMs: z.nullable(Timestamp),
  decision: z.nullable(Decision),
  decisionReason: z.nullable(z.string()),
});
export type CaseSummary = z.infer<typeof CaseSummary>;

/** One report of a case; the conversation and the learners present are in `ReportEvidence`. */
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
  /** Whether `getReportBoard` has the whiteboard as it was. */
  hasBoard: z.boolean(),
  /** Of a report about a text of a group: which one. */
  groupText: z.optional(GroupTextKind),
});
export type CaseReport = z.infer<typeof CaseReport>;

/** The conversation and the learners present at the time of the report. */
const ReportEvidence = z.object({
  reportedId: UserId,
  messages: z.array(
    z.object({
      senderId: UserId,
      nickname: z.string(),
      content: z.string(),
      sentAtMs: Timestamp,
      /** In its room; reports from before replies have none. */
      number: z.optional(z.number()),
      /** The number of the message that it answers. */
      quotedNumber: z.optional(z.number()),
    }),
  ),
  statuses: z.array(
    z.object({
      userId: UserId,
      nickname: z.string(),
      status: z.enum(['idle', 'focus', 'pause', 'away']),
      sinceMs: Timestamp,
      leftAtMs: z.nullable(Timestamp),
      /** On the tile of the reported person, if they showed it. */
      subject: z.optional(z.string()),
    }),
  ),
});
export type ReportEvidence = z.infer<typeof ReportEvidence>;

/** A sanction of a person, as moderators see it. */
export const PersonSanction = z.object({
  sanctionId: SanctionId,
  kind: z.enum(sanctionKinds),
  /** The rule of an automatic sanction; null if a moderator decided. */
  rule: z.nullable(z.enum(automaticRules)),
  reason: z.string(),
  caseId: z.nullable(CaseId),
  imposedAtMs: Timestamp,
  endsAtMs: z.nullable(Timestamp),
  liftedAtMs: z.nullable(Timestamp),
  appeal: z.nullable(
    z.object({
      text: z.string(),
      atMs: Timestamp,
      outcome: z.nullable(z.enum(['upheld', 'lifted'])),
      answer: z.nullable(z.string()),
    }),
  ),
});
export type PersonSanction = z.infer<typeof PersonSanction>;

export const CaseDetail = z.object({
  ...CaseSummary.shape,
  /** At most CASE_REPORTS_MAX, those of most weight; newest first. */
  reports: z.array(CaseReport),
  /** Other cases about the person, newest first: at most `FORMER_CASES_MAX`. */
  formerCases: z.array(
    z.object({
      caseId: CaseId,
      reasons: z.array(ReportReason),
      decidedAtMs: Timestamp,
      decision: Decision,
      decisionReason: z.string(),
    }),
  ),
  /** The person's sanctions, automatic ones included, newest first: at most `SANCTIONS_SHOWN`. */
  sanctions: z.array(PersonSanction),
});
export type CaseDetail = z.infer<typeof CaseDetail>;

/** Open cases; cases that the caller has claimed; decided cases. */
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
    /** Cases decided earlier: `next` of the previous page. */
    before: z.optional(z.int().check(z.positive(), z.lte(LATEST_MS))),
  }),
  reply: z.object({ cases: z.array(CaseSummary), next: z.nullable(z.int()) }),
  errors: ['unauthorized', 'moderatorsOnly'],
  limit: moderationRate,
});

const ofCase = z.object({ caseId: CaseId });
const caseErrors = ['unauthorized', 'moderatorsOnly', 'caseNotFound', 'caseNeedsAdmin'] as const;

export const getCase = route({
  method: 'GET',
  path: '/api/moderation/cases/:caseId',
  summary: 'A case with its reports, and former cases about the person',
  access: 'moderator',
  params: ofCase,
  reply: CaseDetail,
  errors: caseErrors,
  limit: moderationRate,
});

export const getReportEvidence = route({
  method: 'GET',
  path: '/api/moderation/reports/:reportId/evidence',
  summary: 'The conversation and the learners present at the time of a report',
  access: 'moderator',
  params: z.object({ reportId: ReportId }),
  reply: ReportEvidence,
  errors: caseErrors,
  limit: moderationRate,
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
  limit: moderationRate,
});

export const getReportBoard = route({
  method: 'GET',
  path: '/api/moderation/reports/:reportId/board',
  summary: 'The whiteboard at the time of a report, with the names of its authors',
  access: 'moderator',
  params: z.object({ reportId: ReportId }),
  reply: z.object({
    reportedId: UserId,
    authors: z.array(z.object({ userId: UserId, nickname: z.string() })),
    elements: z.array(BoardElement),
  }),
  errors: [...caseErrors, 'notFound'],
  limit: moderationRate,
});

export const getReportBoardImage = route({
  method: 'GET',
  path: '/api/moderation/reports/:reportId/board/images/:imageId',
  summary: 'A picture on the whiteboard that is kept with a report',
  access: 'moderator',
  params: z.object({ reportId: ReportId, imageId: BoardImageId }),
  reply: z.file(),
  replyType: 'image/webp',
  errors: [...caseErrors, 'notFound'],
  limit: moderationRate,
});

export const claimCase = route({
  method: 'POST',
  path: '/api/moderation/cases/:caseId/claim',
  summary: 'Claims a case for the caller, who alone can decide it then',
  access: 'moderator',
  params: ofCase,
  reply: CaseDetail,
  errors: [...caseErrors, 'caseClaimed', 'caseDecided', 'caseOfReporter'],
  limit: moderationRate,
});

export const releaseCase = route({
  method: 'DELETE',
  path: '/api/moderation/cases/:caseId/claim',
  summary: 'Ends the caller’s claim of a case; one of another moderator stays as it is',
  access: 'moderator',
  params: ofCase,
  reply: CaseDetail,
  errors: caseErrors,
  limit: moderationRate,
});

/** Of a decision, or an answer to an appeal. */
export const DecisionReason = z.string().check(z.maxLength(DECISION_REASON_MAX_LENGTH));

export const decideCase = route({
  method: 'POST',
  path: '/api/moderation/cases/:caseId/decision',
  summary: 'Closes a case that the caller has claimed, and imposes the sanction that was decided',
  access: 'moderator',
  params: ofCase,
  body: z.object({
    decision: Decision,
    /** For `timedDecisions`, and only for those. */
    days: z.optional(z.union(suspensionDays.map((days) => z.literal(days)))),
    /** The text that the person is told; for a dismissal an internal note, which may be empty. */
    reason: DecisionReason,
    /** `lastReportAtMs` of the case as the moderator has read it. */
    readUntilMs: z.int().check(z.positive(), z.lte(LATEST_MS)),
    /** Whether the reported texts are taken from their groups, where they still stand; not of a dismissal. */
    withdrawsTexts: z.optional(z.boolean()),
  }),
  reply: CaseDetail,
  errors: [...caseErrors, 'caseChanged', 'caseDecided', 'caseNotClaimed', 'caseOfReporter'],
  limit: moderationRate,
});
