import {
  OWN_REPORTS_SHOWN,
  type ReportId,
  type ReportReason,
  type RoomId,
  type UserId,
} from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import { type Database, deleteInSlices, LARGE_ROWS } from '../../platform/database/index.ts';
import { isOfGroup } from './attachments.repository.ts';
import { boardOf, evidenceOf, evidenceOfTexts, type GroupTexts } from './evidence.ts';
import { type ReporterRecord, TRUSTED_WEIGHT } from './report-weight.ts';

/** The decision that finds no violation; every other one is the kind of a sanction. */
export const DISMISS = 'dismiss';

/** Boards of a case kept for any reporter, of up to 2 MB each; those of trusted reporters are always kept. */
const BOARDS_OF_CASE = 3;

export interface NewReport {
  readonly reporterId: UserId;
  readonly reportedId: UserId;
  readonly roomId: RoomId;
  readonly reason: ReportReason;
  readonly description: string;
  readonly withBoard: boolean;
  /** 0 to 1. */
  readonly weight: number;
  /** On the tile of the person, if they showed it. */
  readonly subject?: string | undefined;
  /** Of a report about a group. */
  readonly groupTexts?: GroupTexts;
}

/** The outcome of a report; without an id if the reporter has already reported that person in this case. */
type StoredReport<Then> =
  | { readonly wasTogether: boolean; readonly reportId: null }
  | { readonly wasTogether: boolean; readonly reportId: ReportId; readonly followed: Then };

interface InsertedReport {
  readonly wasTogether: boolean;
  readonly reportId: ReportId | null;
  readonly caseId: number | null;
}

/** A report as its reporter may see it. */
export interface OwnReportRow {
  readonly reportId: ReportId;
  readonly reason: ReportReason;
  readonly description: string;
  readonly createdAt: Date;
  readonly status: 'open' | 'claimed' | 'decided';
  readonly decision: string | null;
  readonly decidedAt: Date | null;
  /** The reported person's name at that time, or the name of the reported group. */
  readonly nickname: string;
}

/** The queries on reports and their evidence. */
export function createReportsRepository(db: Database) {
  return {
    /** A reporter's history. */
    async findReporter(userId: UserId, now: Date): Promise<ReporterRecord> {
      const { rows } = await sql<ReporterRecord>`
        select (extract(epoch from ${now}::timestamptz - created_at) * 1000)::float8 as "accountAgeMs",
               coalesce(study_record.focus_ms, 0) as "studyMs", own.decided, own.dismissed
        from users left join study_record on study_record.user_id = users.id
        cross join lateral (
          select count(*) as decided,
                 count(*) filter (where report_case.decision = ${DISMISS}) as dismissed
          from report join report_case on report_case.id = report.case_id
          where report.reporter_id = users.id and report_case.status = 'decided'
        ) as own
        where users.id = ${userId}`.execute(db);
      const [record] = rows;
      return record ?? { accountAgeMs: 0, studyMs: 0, decided: 0, dismissed: 0 };
    },

    /**
     * Stores a report with its evidence in the undecided case of the person, or opens one. Concurrent reports
     * wait for each other at the case. Nothing is stored unless the two were together and this is the
     * reporter's first report in that case, or the first of an obscene picture.
     * @param follow further work in the same transaction, which has locked the case.
     */
    store: <Then>(
      report: NewReport,
      now: Date,
      follow: (transaction: Database, caseId: number) => Promise<Then>,
    ): Promise<StoredReport<Then>> =>
      db.transaction().execute(async (transaction) => {
        const { rows } = await insertReport(report, now).execute(transaction);
        const [stored] = rows;
        if (!stored) throw new Error('a statement without a row');
        const { wasTogether, reportId, caseId } = stored;
        if (reportId === null || caseId === null) return { wasTogether, reportId: null };
        if (report.withBoard)
          await keepBoard(report, { reportId, caseId }, now).execute(transaction);
        return { wasTogether, reportId, followed: await follow(transaction, caseId) };
      }),

    /** A learner's own reports, newest first. */
    async findOwn(reporterId: UserId): Promise<OwnReportRow[]> {
      const { rows } = await sql<OwnReportRow>`
        select report.id as "reportId", reason, description, created_at as "createdAt", status,
               decision, decided_at as "decidedAt", (
                 select coalesce(present ->> 'groupName', present ->> 'nickname') from jsonb_array_elements(statuses) as present
                 where (present ->> 'userId')::bigint = reported_id limit 1
               ) as nickname
        from report join report_case on report_case.id = case_id
        where reporter_id = ${reporterId}
        order by report.id desc limit ${OWN_REPORTS_SHOWN}`.execute(db);
      return rows;
    },

    /** The reporters of a case with an existing account. */
    async findReporterIds(caseId: number): Promise<UserId[]> {
      const { rows } = await sql<{ userId: UserId }>`
        select reporter_id as "userId" from report
        where case_id = ${caseId} and reporter_id is not null`.execute(db);
      return rows.map(({ userId }) => userId);
    },

    /** Whether a report accepts a still; undefined if the reporter made no such report. */
    async takesStill(id: ReportId, reporterId: UserId, since: Date): Promise<boolean | undefined> {
      const { rows } = await sql<{ takesStill: boolean }>`
        select created_at >= ${since}
               and not exists (select from report_still where report_id = report.id) as "takesStill"
        from report where id = ${id} and reporter_id = ${reporterId}`.execute(db);
      return rows[0]?.takesStill;
    },

    /** @returns false if there is one already. */
    async insertStill(reportId: ReportId, image: Buffer, takenAt: Date): Promise<boolean> {
      const { numAffectedRows } = await sql`
        insert into report_still (report_id, image, taken_at)
        values (${reportId}, ${image}, ${takenAt})
        on conflict do nothing`.execute(db);
      return numAffectedRows === 1n;
    },

    /**
     * Removes a learner whose account is being deleted from the evidence of reports, and their name from
     * their own reports. Their reports about others stay.
     */
    async forget(userId: UserId): Promise<void> {
      const [sender, present] = [{ senderId: userId }, { userId }];
      await sql`
        update report set
          messages = ${withoutLearner(sql`messages`, 'senderId', userId)},
          statuses = ${withoutLearner(sql`statuses`, 'userId', userId)},
          description = case when reporter_id = ${userId} then '' else description end,
          reporter_id = nullif(reporter_id, ${userId})
        where reporter_id = ${userId} or messages @> ${JSON.stringify([sender])}
           or statuses @> ${JSON.stringify([present])}`.execute(db);
      await sql`
        update report_board set
          elements = (
            select coalesce(json_agg(element order by place), '[]')
            from json_array_elements(elements) with ordinality as drawn (element, place)
            where (element #>> '{customData,authorId}')::bigint <> ${userId}
          ),
          authors = ${withoutLearner(sql`authors`, 'userId', userId)}
        where authors @> ${JSON.stringify([present])}`.execute(db);
    },

    /** Deletes reports made before `until`, with cases that have no other report. */
    async deleteReportedBefore(until: Date): Promise<void> {
      await deleteInSlices(db, 'report_case', sql`last_report_at < ${until}`, LARGE_ROWS);
      await deleteInSlices(db, 'report', sql`created_at < ${until}`, LARGE_ROWS);
    },

    /** Deletes the stills and boards of cases that were decided before `until`. */
    async deletePicturesDecidedBefore(until: Date): Promise<void> {
      for (const table of ['report_still', 'report_board']) {
        const isDue = sql`
          report_id in (
            select report.id from report join report_case on report_case.id = report.case_id
            where report_case.decided_at < ${until}
          )`;
        await deleteInSlices(db, table, isDue, LARGE_ROWS);
      }
    },
  };
}

/** SQL for a list of JSON objects without those with a learner's id in `field`. */
function withoutLearner(list: RawBuilder<unknown>, field: string, userId: UserId) {
  return sql`(
    select coalesce(jsonb_agg(entry order by place), '[]')
    from jsonb_array_elements(${list}) with ordinality as entries (entry, place)
    where (entry ->> ${sql.lit(field)})::bigint <> ${userId}
  )`;
}

/**
 * One statement for the report, its evidence and its case. A reporter has one report in a case; the first of
 * an obscene picture replaces any other, also of a group's text, because it may lead to an automatic measure; it
 * keeps the evidence of both.
 */
function insertReport(report: NewReport, now: Date) {
  const { reporterId, reportedId, roomId, reason, description, weight } = report;
  const claim = { reporterId, reportedId, roomId, now };
  const isOfPicture = reason === 'OBSCENE_CONTENT' && !report.groupTexts;
  const isWorse = sql`(${isOfPicture} and (report.reason <> 'OBSCENE_CONTENT' or ${isOfGroup}))`;
  return sql<InsertedReport>`
    with ${report.groupTexts ? evidenceOfTexts(claim, report.groupTexts) : evidenceOf(claim, report.subject)},
    undecided as (
      insert into report_case (reported_id, opened_at, last_report_at)
      select ${reportedId}, ${now}, ${now} from shared
      on conflict (reported_id) where status <> 'decided' do update set last_report_at =
        case when exists (
          select from report where case_id = report_case.id and reporter_id = ${reporterId}
            and not ${isWorse}
        ) then report_case.last_report_at
        -- Always later, for decisions: clocks of processes differ.
        else greatest(excluded.last_report_at, report_case.last_report_at + interval '1 ms') end
      returning id
    ),
    stored as (
      insert into report (case_id, reporter_id, reason, description, room_id, created_at, weight,
                          messages, statuses)
      select undecided.id, ${reporterId}, ${reason}, ${description}, ${roomId}, ${now}, ${weight},
             messages, statuses
      from undecided cross join evidence
      on conflict (case_id, reporter_id) do update set
        reason = excluded.reason,
        description = concat_ws(E'\\n', nullif(report.description, ''), nullif(excluded.description, '')),
        room_id = excluded.room_id, created_at = excluded.created_at, weight = excluded.weight,
        messages = (
          select coalesce(jsonb_agg(said order by said ->> 'sentAt', said ->> 'number'), '[]')
          from (
            select distinct said
            from jsonb_array_elements(report.messages || excluded.messages) as said
          ) as all_said
        ),
        statuses = excluded.statuses || report.statuses
      where ${isWorse}
      returning id
    )
    select exists (select from shared) as "wasTogether", (select id from stored) as "reportId",
           (select id from undecided) as "caseId"`;
}

/**
 * Stores the board of a report. A separate statement after the case is locked: it sees the boards of
 * concurrent reports. The limit prevents a crowd of new accounts from filling the disk.
 */
function keepBoard(report: NewReport, stored: { reportId: ReportId; caseId: number }, now: Date) {
  const { reporterId, reportedId, roomId, weight } = report;
  const { reportId, caseId } = stored;
  const claim = { reporterId, reportedId, roomId, now };
  return sql`
    with ${evidenceOf(claim)},
    kept_board as (
      insert into report_board (report_id, taken_at, elements, authors)
      select ${reportId}, ${now}, elements, authors from ${boardOf(claim)} as board
      where elements is not null and (${weight >= TRUSTED_WEIGHT} or ${BOARDS_OF_CASE} > (
        select count(*) from report_board join report on report.id = report_id
        where case_id = ${caseId} and report_id <> ${reportId}
      ))
      on conflict (report_id) do update set
        taken_at = excluded.taken_at, elements = excluded.elements, authors = excluded.authors
      returning report_id, elements
    )
    insert into report_board_image (report_id, picture_id)
    select distinct kept_board.report_id, picture_id
    from kept_board cross join json_array_elements(elements) as element
    join board_image on room_id = ${roomId} and picture_id = element ->> 'fileId'
    on conflict do nothing`;
}
