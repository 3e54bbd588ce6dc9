import * as z from 'zod/mini';
import { UserId } from './ids.ts';
import { moderationRate } from './limits.ts';
import { route } from './route.ts';

/** Events in the audit log: decisions about people, access to evidence, and changes of roles. */
export const auditActions = [
  'roleGranted',
  'roleRevoked',
  'passwordResetIssued',
  'logInsEnded',
  'evidenceRead',
  'caseClaimed',
  'caseReleased',
  'caseDecided',
  'sanctionImposed',
  'sanctionLifted',
  'sanctionAppealed',
  'appealAnswered',
] as const;
export const AuditAction = z.enum(auditActions);
export type AuditAction = z.infer<typeof AuditAction>;

/** Events of one page. */
export const AUDIT_PAGE = 50;
/** How long an event is kept; the database refuses to delete younger ones. */
export const AUDIT_KEPT_YEARS = 3;

const id = z.int().check(z.positive(), z.lte(Number.MAX_SAFE_INTEGER));

/** An account as moderators see it; without a name once it is deleted, or is going to be. */
export const NamedAccount = z.object({ userId: UserId, nickname: z.nullable(z.string()) });
export type NamedAccount = z.infer<typeof NamedAccount>;

export const AuditEvent = z.object({
  id,
  atMs: z.number(),
  /** Null: the product itself, or the operator on its host. */
  actor: z.nullable(NamedAccount),
  action: AuditAction,
  /** The account that the event is about. */
  subject: z.nullable(NamedAccount),
  caseId: z.nullable(id),
  sanctionId: z.nullable(id),
  /** Words and figures of the product, such as a kind or a period; no text that somebody wrote. */
  details: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type AuditEvent = z.infer<typeof AuditEvent>;

export const getAuditEvents = route({
  method: 'GET',
  path: '/api/moderation/audit',
  summary: 'The audit log, newest first, a page at a time',
  access: 'admin',
  query: z.object({
    /** Events with smaller ids: `next` of the page before. */
    before: z.optional(id),
    action: z.optional(AuditAction),
    actorId: z.optional(UserId),
    subjectId: z.optional(UserId),
  }),
  reply: z.object({ events: z.array(AuditEvent), next: z.nullable(id) }),
  errors: ['unauthorized', 'adminsOnly'],
  limit: moderationRate,
});
