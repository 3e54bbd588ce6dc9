import type { BoardElement, CaseId, ReportId } from '@mogakgong/contract';
import { type Kysely, sql } from 'kysely';
import type { BoardAuthor, ReportsTables } from './reports.tables.ts';

/** The whiteboard that is kept with a report. */
interface ReportedBoard {
  readonly caseId: CaseId;
  readonly elements: BoardElement[] | null;
  readonly authors: BoardAuthor[] | null;
}

/** The queries on what came with a report, each null where there is no such report. */
export function createAttachmentQueries(db: Kysely<ReportsTables>) {
  return {
    /** The picture of a report and the case it belongs to. */
    async findStill(reportId: ReportId): Promise<{ caseId: CaseId; image: Buffer | null } | null> {
      const { rows } = await sql<{ caseId: CaseId; image: Buffer | null }>`
        select case_id as "caseId", image
        from report left join report_still on report_still.report_id = report.id
        where report.id = ${reportId}`.execute(db);
      return rows[0] ?? null;
    },

    /** The board of a report, null where it has none, and the case it belongs to. */
    async findBoard(reportId: ReportId): Promise<ReportedBoard | null> {
      const { rows } = await sql<ReportedBoard>`
        select case_id as "caseId", elements, authors
        from report left join report_board on report_board.report_id = report.id
        where report.id = ${reportId}`.execute(db);
      return rows[0] ?? null;
    },

    /** A picture on the board of a report, null where there is none, and the case it belongs to. */
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
