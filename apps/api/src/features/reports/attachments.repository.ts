import type { CaseId, ReportId } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import type { ReportedText } from '../groups/index.ts';

/** The whiteboard stored with a report, as JSON. */
interface ReportedBoard {
  readonly caseId: CaseId;
  readonly elements: string | null;
  readonly authors: string | null;
}

/** SQL for the reported texts of groups, as they are stored with a report; no rows without one. */
export const groupTexts = sql`jsonb_path_query(statuses, '$[*].groupText')`;

/** SQL for "the report is about a text of a group", whose room then nobody needs to have been in. */
export const isOfGroup = sql<boolean>`(report.statuses #> '{0,groupText}' is not null)`;

/** SQL for a stored list with a moment of each entry in milliseconds since 1970, as JSON. */
function withMilliseconds(list: string, moments: Readonly<Record<string, string>>) {
  const fields = Object.entries(moments).map(
    ([kept, shown]) => sql`${sql.lit(shown)}::text,
      (extract(epoch from (entry ->> ${sql.lit(kept)})::timestamptz) * 1000)::bigint`,
  );
  const names = Object.keys(moments).map((kept) => sql.lit(kept));
  return sql`(
    select coalesce(jsonb_agg(
      entry - array[${sql.join(names)}] || jsonb_build_object(${sql.join(fields)}) order by place
    ), '[]')::text
    from jsonb_array_elements(${sql.ref(list)}) with ordinality as entries (entry, place)
  )`;
}

/** The queries on attachments of reports, each null for a missing report. */
export function createAttachmentQueries(db: Database) {
  return {
    /** The picture of a report and the case it belongs to. */
    async findStill(reportId: ReportId): Promise<{ caseId: CaseId; image: Buffer | null } | null> {
      const { rows } = await sql<{ caseId: CaseId; image: Buffer | null }>`
        select case_id as "caseId", image
        from report left join report_still on report_still.report_id = report.id
        where report.id = ${reportId}`.execute(db);
      return rows[0] ?? null;
    },

    /** The conversation of a report and the learners present, as JSON, and its case. */
    async findEvidence(reportId: ReportId) {
      const { rows } = await sql<{ caseId: CaseId; messages: string; statuses: string }>`
        select case_id as "caseId", ${withMilliseconds('messages', { sentAt: 'sentAtMs' })} as messages,
               ${withMilliseconds('statuses', { since: 'sinceMs', leftAt: 'leftAtMs' })} as statuses
        from report where id = ${reportId}`.execute(db);
      return rows[0] ?? null;
    },

    /** The texts of groups that were reported in a case, in an order in which groups may be locked. */
    async findGroupTexts(transaction: Database, caseId: CaseId): Promise<ReportedText[]> {
      const { rows } = await sql<{ text: ReportedText }>`
        select text from (
          select distinct text from report cross join ${groupTexts} as text
          where case_id = ${caseId}
        ) as reported
        order by (text ->> 'groupId')::bigint`.execute(transaction);
      return rows.map(({ text }) => text);
    },

    /** The board of a report, null if it has none, and its case. */
    async findBoard(reportId: ReportId): Promise<ReportedBoard | null> {
      const { rows } = await sql<ReportedBoard>`
        select case_id as "caseId", elements::text, authors::text
        from report left join report_board on report_board.report_id = report.id
        where report.id = ${reportId}`.execute(db);
      return rows[0] ?? null;
    },

    /** A picture on the board of a report, null if it has none, and its case. */
    async findBoardImage(
      reportId: ReportId,
      imageId: string,
    ): Promise<{ caseId: CaseId; image: Buffer | null } | null> {
      const { rows } = await sql<{ caseId: CaseId; image: Buffer | null }>`
        select case_id as "caseId", image from report
        left join report_board_image as kept on report_id = report.id and picture_id = ${imageId}
        left join board_picture on board_picture.id = kept.picture_id
        where report.id = ${reportId}`.execute(db);
      return rows[0] ?? null;
    },
  };
}
