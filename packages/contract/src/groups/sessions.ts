import * as z from 'zod/mini';
import { StudyDay } from '../focus/clock.ts';
import { UserId } from '../ids.ts';
import { ServerTimeMs } from '../server-time.ts';
import { TimeOfDay, Weekdays } from './attendance.ts';

/** How long before a session its members are reminded. */
export const SESSION_REMINDER_MINUTES = 10;

/** A group's session: on these days of the week between two times, in the zone of the group. */
export const SessionPlan = z.object({
  days: Weekdays,
  fromMinute: TimeOfDay,
  /** Not after the beginning: on the next day. */
  untilMinute: TimeOfDay,
});
export type SessionPlan = z.infer<typeof SessionPlan>;

/** The number of a session. */
export const SessionId = z
  .int()
  .check(z.positive(), z.lte(Number.MAX_SAFE_INTEGER))
  .brand<'SessionId'>();
export type SessionId = z.infer<typeof SessionId>;

/** A session on one day; people hidden by a block are left out. */
const SessionDay = z.object({
  /** The day on which it begins, in the calendar of the group's zone. */
  day: StudyDay,
  startsAtMs: ServerTimeMs,
  endsAtMs: ServerTimeMs,
  /** Members that said they come. */
  comingIds: z.array(UserId),
  /** Members that were in the group's room during it. */
  presentIds: z.array(UserId),
});
export type SessionDay = z.infer<typeof SessionDay>;

export const GroupSession = z.extend(SessionPlan, {
  sessionId: SessionId,
  /** Those that are not over, of the next `GROUPS.sessionDays` days. */
  next: z.array(SessionDay),
  /** Those that are over, of the last `GROUPS.sessionDays` days, latest first; without days nobody had to do with. */
  past: z.array(SessionDay),
});
export type GroupSession = z.infer<typeof GroupSession>;

/** The next session of a group, or the one that goes on, as a member reads it in the list of their groups. */
export const NextGroupSession = z.object({
  sessionId: SessionId,
  day: StudyDay,
  startsAtMs: ServerTimeMs,
  endsAtMs: ServerTimeMs,
  /** Members that said they come, without those hidden by a block. */
  coming: z.int(),
  /** Whether the reader is one of them. */
  isComing: z.boolean(),
});
export type NextGroupSession = z.infer<typeof NextGroupSession>;
