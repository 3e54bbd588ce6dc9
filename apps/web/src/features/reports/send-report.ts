import {
  addReportStill,
  createReport,
  type ReportReason,
  type RoomId,
  UserId,
} from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { stillFile } from './still.ts';

/** The reasons in the dialog, each with the value that is sent (specification §9). */
export const shownReasons = {
  abuse: 'ABUSE',
  obscene: 'OBSCENE_CONTENT',
  disturbance: 'DISTURBANCE',
  other: 'DISTURBANCE',
} as const satisfies Record<string, ReportReason>;
export type ShownReason = keyof typeof shownReasons;

/** The learner's input. */
export interface ReportDraft {
  readonly userId: UserId;
  readonly roomId: RoomId;
  readonly reason: ShownReason;
  readonly description?: string;
  /** Whether the server's copy of the whiteboard is attached. */
  readonly withBoard: boolean;
  /** The still that the learner agreed to attach. */
  readonly still: HTMLCanvasElement | null;
}

/** The id of the person as the API takes it; null where it is unknown (specification §8). */
export function reportedId(userId: number): UserId | null {
  return UserId.safeParse(userId).data ?? null;
}

/**
 * Sends a report, then the still. The report stands even if the still cannot be sent.
 * @returns whether everything was sent.
 */
export async function sendReport(draft: ReportDraft): Promise<boolean> {
  const { userId, roomId, reason, description, withBoard, still } = draft;
  const body = { roomId, reportedId: userId, reason: shownReasons[reason] };
  const { reportId } = await call(createReport, {
    body: {
      ...body,
      ...(description !== undefined && { description }),
      ...(withBoard && { withBoard }),
    },
  });
  if (still === null) return true;
  if (reportId === undefined) return false;
  try {
    await call(addReportStill, { params: { reportId }, body: { still: await stillFile(still) } });
    return true;
  } catch {
    return false;
  }
}
