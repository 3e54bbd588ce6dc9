import * as z from 'zod/mini';

/** Largest id that PostgreSQL's `bigint` and a JavaScript number both hold exactly. */
const MAX_ID = Number.MAX_SAFE_INTEGER;

/** A learner's number: the `userId` claim of the access token (specification §3). */
export const UserId = z.int().check(z.positive(), z.lte(MAX_ID)).brand<'UserId'>();
export type UserId = z.infer<typeof UserId>;

/** A study room's number, the `n` of "Room n" (specification §2). */
export const RoomId = z.int().check(z.positive(), z.lte(MAX_ID)).brand<'RoomId'>();
export type RoomId = z.infer<typeof RoomId>;

/** A study group's number. */
export const GroupId = z.int().check(z.positive(), z.lte(MAX_ID)).brand<'GroupId'>();
export type GroupId = z.infer<typeof GroupId>;

/** The number of a report. */
export const ReportId = z.int().check(z.positive(), z.lte(MAX_ID)).brand<'ReportId'>();
export type ReportId = z.infer<typeof ReportId>;

/** The number of a case: all reports about one person until it is decided. */
export const CaseId = z.int().check(z.positive(), z.lte(MAX_ID)).brand<'CaseId'>();
export type CaseId = z.infer<typeof CaseId>;
