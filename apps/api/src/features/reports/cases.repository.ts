import {
  CASE_CLAIM_MS,
  CASE_REPORTS_MAX,
  CASES_PAGE,
  type CaseFilter,
  type CaseId,
  type Decision,
  FORMER_CASES_MAX,
  type GroupTextKind,
  type ReportId,
  type ReportReason,
  type Role,
  type RoomId,
  type UserId,
} from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import type { Moderator } from '../../platform/http/index.ts';
import { recordAudit } from '../audit/index.ts';
import { userCards } from '../users/index.ts';
import { createAttachmentQueries, groupTexts, isOfGroup } from './attachments.repository.ts';

/** A case with the names of the people concerned, as its moderator may see it. */
export interface CaseRow {
  readonly id: CaseId;
  readonly reportedId: UserId;
  readonly reportedName: string;
  readonly status: 'open' | 'claimed' | 'decided';
  readonly openedAt: Date;
  readonly lastReportAt: Date;
  readonly reasons: ReportReason[];
  readonly reportCount: number;
  readonly weight: number;
  readonly claimedBy: UserId | null;
  readonly claimedByName: string | null;
  readonly claimedAt: Date | null;
  readonly isReporter: boolean;
  readonly decidedBy: UserId | null;
  readonly decidedByName: string | null;
  readonly decidedAt: Date | null;
  readonly decision: Decision | null;
  readonly decisionReason: string | null;
  /** Whether it is about an account with a role. */
  readonly needsAdmin: boolean;
}

/** A report of a case. */
export interface CaseReportRow {
  readonly id: ReportId;
  readonly reporterId: UserId | null;
  readonly reporterName: string | null;
  readonly reason: ReportReason;
  readonly description: string;
  readonly roomId: number;
  readonly createdAt: Date;
  readonly weight: number;
  readonly hasStill: boolean;
  readonly hasBoard: boolean;
  readonly groupText: GroupTextKind | null;
}

/** Obscene pictures do harm at once: such a report counts as this many others in the order of the queue. */
const OBSCENE_COUNTS_AS = 3;
/** Further readings of a case within this time are not recorded. */
const RECORD_READING_EVERY = sql`interval '1 hour'`;

/** The columns of cases; the caller adds condition and order. */
function casesFor(
  { userId }: Moderator,
  condition: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): RawBuilder<CaseRow> {
  return sql<CaseRow>`
    select c.id, c.reported_id as "reportedId", reported.nickname as "reportedName", c.status,
           c.opened_at as "openedAt", c.last_report_at as "lastReportAt",
           reports.reasons, reports.count as "reportCount", reports.weight,
           c.claimed_by as "claimedBy", claimer.nickname as "claimedByName",
           c.claimed_at as "claimedAt", reports.is_own as "isReporter",
           c.decided_by as "decidedBy", decider.nickname as "decidedByName",
           c.decided_at as "decidedAt", c.decision, c.decision_reason as "decisionReason",
           reported.role <> 'member' as "needsAdmin"
    from report_case as c
    join users as reported on reported.id = c.reported_id
    left join ${userCards} as claimer on claimer.user_id = c.claimed_by
    left join ${userCards} as decider on decider.user_id = c.decided_by
    cross join lateral (
      select count(*) as count, coalesce(sum(weight), 0)::float8 as weight,
             coalesce(array_agg(distinct reason order by reason), '{}') as reasons,
             coalesce(bool_or(reporter_id = ${userId}), false) as is_own,
             coalesce(sum(weight * case reason when 'OBSCENE_CONTENT'
               then ${OBSCENE_COUNTS_AS}::int else 1 end), 0) as gravity
      from report where case_id = c.id
    ) as reports
    -- Nobody sees who has reported them.
    where c.reported_id <> ${userId} and ${condition}
    order by ${order}`;
}

/** Whether a moderator may decide about a person: only admins about those with a role. */
const isWithin = ({ role }: Moderator) =>
  role === 'admin' ? sql`true` : sql`reported.role = 'member'`;

/** The queries of moderators on cases. */
export function createCasesRepository(db: Database) {
  return {
    /** One page of cases, and the first of the next. */
    async find(moderator: Moderator, filter: CaseFilter, before: Date | null): Promise<CaseRow[]> {
      const isOpen = sql`c.status <> 'decided'`;
      const conditions = {
        open: isOpen,
        mine: sql`${isOpen} and c.claimed_by = ${moderator.userId}`,
        decided: sql`c.status = 'decided' and (${before}::timestamptz is null or c.decided_at < ${before})`,
      };
      const order =
        filter === 'decided'
          ? sql`c.decided_at desc, c.id desc`
          : sql`reports.gravity desc, c.last_report_at desc, c.id desc`;
      const condition = sql`${isWithin(moderator)} and ${conditions[filter]}`;
      const cases = casesFor(moderator, condition, order);
      const { rows } = await sql<CaseRow>`${cases} limit ${CASES_PAGE + 1}`.execute(db);
      return rows;
    },

    /** A case, whatever role it needs; null if missing, and if it is about the caller. */
    async findOne(moderator: Moderator, caseId: CaseId): Promise<CaseRow | null> {
      const { rows } = await casesFor(moderator, sql`c.id = ${caseId}`, sql`c.id`).execute(db);
      return rows[0] ?? null;
    },

    /** The reports with the most weight, newest first: a brigade cannot inflate the reply. */
    async findReports(caseId: CaseId): Promise<CaseReportRow[]> {
      const { rows } = await sql<CaseReportRow>`
        select report.id, reporter_id as "reporterId", card.nickname as "reporterName", reason,
               description, room_id as "roomId", created_at as "createdAt", weight::float8,
               exists (select from report_still where report_id = report.id) as "hasStill",
               exists (select from report_board where report_id = report.id) as "hasBoard",
               (select text ->> 'kind' from ${groupTexts} as text limit 1) as "groupText"
        from (
          select * from report where case_id = ${caseId}
          order by weight desc, created_at desc limit ${CASE_REPORTS_MAX}
        ) as report
        left join ${userCards} as card on card.user_id = reporter_id
        order by created_at desc, report.id desc`.execute(db);
      return rows;
    },

    /** Decided cases about a person, except one, newest first. */
    async findFormerCases(reportedId: UserId, except: CaseId) {
      const { rows } = await sql<{
        id: CaseId;
        reasons: ReportReason[];
        decidedAt: Date;
        decision: Decision;
        decisionReason: string | null;
      }>`
        select id, decided_at as "decidedAt", decision, decision_reason as "decisionReason",
               coalesce((select array_agg(distinct reason order by reason) from report
                         where case_id = report_case.id), '{}') as reasons
        from report_case
        where reported_id = ${reportedId} and status = 'decided' and id <> ${except}
        order by decided_at desc, id desc limit ${FORMER_CASES_MAX}`.execute(db);
      return rows;
    },

    /** Records that a moderator reads the evidence of a case, once an hour at most. */
    async recordReading({ userId }: Moderator, caseId: CaseId, reportedId: UserId): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        const { rows } = await sql`
          select from audit_event
          where actor_id = ${userId} and action = 'evidenceRead' and case_id = ${caseId}
            and at > now() - ${RECORD_READING_EVERY} limit 1`.execute(transaction);
        if (rows.length > 0) return;
        const event = { actorId: userId, subjectId: reportedId, caseId };
        await recordAudit(transaction, { action: 'evidenceRead', ...event });
      });
    },

    /** Names and roles of accounts, including those that are going to be deleted. */
    async findPeople(userIds: readonly UserId[]) {
      const { rows } = await sql<{ id: UserId; nickname: string; role: Role }>`
        select id, nickname, role from users where id = any(${userIds}::bigint[])`.execute(db);
      return new Map(rows.map((person) => [person.id, person]));
    },

    /** All accounts with a role. */
    async findModerators(): Promise<Pick<Moderator, 'userId' | 'role'>[]> {
      const { rows } = await sql<Pick<Moderator, 'userId' | 'role'>>`
        select id as "userId", role from users
        where role <> 'member' and deletes_at is null`.execute(db);
      return rows;
    },

    /** The moderators and admins among the reporters of these cases. */
    async findReportingModerators(caseIds: readonly number[]) {
      const { rows } = await sql<{ caseId: number; userId: UserId }>`
        select case_id as "caseId", reporter_id as "userId" from report
        where case_id = any(${caseIds}::bigint[])
          and reporter_id in (select id from users where role <> 'member')`.execute(db);
      return rows;
    },

    ...createAttachmentQueries(db),
    ...createClaimQueries(db),
  };
}

export type CasesRepository = ReturnType<typeof createCasesRepository>;

/** SQL for "another moderator's claim has not ended". */
const isClaimedByAnother = (userId: UserId, now: Date) => sql<boolean>`
  (status = 'claimed' and claimed_by <> ${userId}
   and claimed_at > ${new Date(now.getTime() - CASE_CLAIM_MS)})`;

/** The queries by which one moderator at a time works on a case. */
function createClaimQueries(db: Database) {
  return {
    /**
     * Claims a case, or renews one's own claim. Of several concurrent calls one succeeds.
     * @returns whether the caller has the claim now.
     */
    async claim({ userId }: Moderator, caseId: CaseId, now: Date): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ reportedId: UserId; former: UserId | null }>`
          update report_case set status = 'claimed', claimed_by = ${userId}, claimed_at = ${now}
          from (
            select id as former_id, claimed_by as claimer from report_case
            where id = ${caseId} for update
          ) as former
          where id = former_id and status <> 'decided'
            and not ${isClaimedByAnother(userId, now)}
          returning reported_id as "reportedId", claimer as former`.execute(transaction);
        const [claimed] = rows;
        if (!claimed) return false;
        const { reportedId: subjectId, former } = claimed;
        if (former === userId) return true;
        const event = { actorId: userId, subjectId, caseId };
        await recordAudit(transaction, {
          action: 'caseClaimed',
          ...event,
          ...(former !== null && { details: { takenOverFrom: former } }),
        });
        return true;
      });
    },

    /**
     * Whether a moderator may decide about a person now; locks both roles until the transaction ends. Called
     * before the case is locked, in the same order as a deletion of the account.
     */
    async mayDecide(transaction: Database, { userId }: Moderator, personId: UserId) {
      const { rows } = await sql<{ id: UserId; role: Role }>`
        select id, role from users where id = any(${[userId, personId]}::bigint[])
        order by id for share`.execute(transaction);
      const roleOf = (id: UserId) => rows.find((row) => row.id === id)?.role;
      const role = roleOf(userId);
      return role === 'admin' || (role === 'moderator' && roleOf(personId) === 'member');
    },

    /**
     * Closes a case that the caller has claimed, read whole, and not reported in.
     * @returns the person and the room of the latest report, that of a group only if all reports are about groups;
     *   undefined if the conditions are not met.
     */
    async close(
      transaction: Database,
      { userId }: Moderator,
      caseId: CaseId,
      closed: {
        readonly decision: Decision;
        readonly reason: string;
        readonly readUntil: Date;
        readonly now: Date;
      },
    ): Promise<{ reportedId: UserId; roomId: RoomId } | undefined> {
      const { rows } = await sql<{ reportedId: UserId; roomId: RoomId }>`
        update report_case set status = 'decided', decided_by = ${userId}, decided_at = ${closed.now},
          decision = ${closed.decision}, decision_reason = ${closed.reason}
        where id = ${caseId} and status = 'claimed' and claimed_by = ${userId}
          and last_report_at <= ${closed.readUntil}
          and not exists (select from report where case_id = ${caseId} and reporter_id = ${userId})
        returning reported_id as "reportedId", (
          select room_id from report where case_id = ${caseId}
          order by ${isOfGroup}, created_at desc limit 1
        ) as "roomId"`.execute(transaction);
      return rows[0];
    },

    /** Ends the caller's claim of a case; any other stays as it is. */
    async release({ userId }: Moderator, caseId: CaseId): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ reportedId: UserId }>`
          update report_case set status = 'open', claimed_by = null, claimed_at = null
          where id = ${caseId} and status = 'claimed' and claimed_by = ${userId}
          returning reported_id as "reportedId"`.execute(transaction);
        const [released] = rows;
        if (!released) return;
        const event = { actorId: userId, subjectId: released.reportedId, caseId };
        await recordAudit(transaction, { action: 'caseReleased', ...event });
      });
    },
  };
}
