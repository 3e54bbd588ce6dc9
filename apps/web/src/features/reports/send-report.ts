import {
  addReportStill,
  createReport,
  type ReportReason,
  type RoomId,
  UserId,
} from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { stillFile } from './still.ts';

/** The reasons as they are shown, each with the one that is sent (specification §9). */
export const shownReasons = {
  abuse: 'ABUSE',
  obscene: 'OBSCENE_CONTENT',
  disturbance: 'DISTURBANCE',
  other: 'DISTURBANCE',
} as const satisfies Record<string, ReportReason>;
export type ShownReason = keyof typeof shownReasons;

/** What the learner has filled in. */
export interface ReportDraft {
  readonly userId: UserId;
  readonly roomId: RoomId;
  readonly reason: ShownReason;
  readonly description?: string;
  /** Whether the whiteboard goes with it, as the server has it. */
  readonly withBoard: boolean;
  /** What the learner agreed to send along. */
  readonly still: HTMLCanvasElement | null;
}

/** The id of the person as the API takes it; null where it is not known (specification §8). */
export function reportedId(userId: number): UserId | null {
  return UserId.safeParse(userId).data ?? null;
}

/**
 * Sends a report, then the still. The report is made even if the still cannot be sent.
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
  try {
    await call(addReportStill, { params: { reportId }, body: { still: await stillFile(still) } });
    return true;
  } catch {
    return false;
  }
}
