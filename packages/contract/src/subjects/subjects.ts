import * as z from 'zod/mini';
import { oneLine } from '../one-line.ts';

/** In characters, after trimming. */
export const SUBJECT_NAME_MAX_LENGTH = 20;
/** Maximum number of a learner's subjects, removed ones not counted. */
export const SUBJECTS_MAX = 30;
/** Maximum length of a name before it is trimmed. */
const SUBJECT_RAW_MAX_LENGTH = 200;

/** The number of a subject. */
export const SubjectId = z
  .int()
  .check(z.positive(), z.lte(Number.MAX_SAFE_INTEGER))
  .brand<'SubjectId'>();
export type SubjectId = z.infer<typeof SubjectId>;

/** A subject of study, named by the learner and visible only to them, unless they show it on their tile. */
export const Subject = z.object({ id: SubjectId, name: z.string() });
export type Subject = z.infer<typeof Subject>;

/** A name as a form sends it. */
export const SubjectNamePayload = z.string().check(z.maxLength(SUBJECT_RAW_MAX_LENGTH));

/** A learner's subjects in order, and the one that focus is counted under; null for none. */
export const OwnSubjects = z.object({
  subjects: z.array(Subject),
  currentId: z.nullable(SubjectId),
  /** Those of the last days, the latest first; an API of the previous version does not send them. */
  recentIds: z.optional(z.array(SubjectId)),
  /** Whether others in the room see the current one on the caller's tile. */
  isShown: z.optional(z.boolean()),
});
export type OwnSubjects = z.infer<typeof OwnSubjects>;

/** A name as it is stored, composed (NFC), or null: see `oneLine`. */
export const subjectName = (text: string) =>
  oneLine(text.normalize('NFC'), SUBJECT_NAME_MAX_LENGTH);

/** The key under which two names are the same: without regard to case. */
export function subjectKey(name: string): string {
  // Upper case first: it maps `ß` to `ss`, and both small sigmas to one letter.
  return name.toUpperCase().toLowerCase().normalize('NFC');
}
