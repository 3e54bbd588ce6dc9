import type { OwnSubjects, SubjectId, UserId } from '@mogakgong/contract';
import { queryClient } from '../../shared/api/query.ts';

/** The subject chosen in one seat. */
export interface SubjectChoice {
  /** A choice that the server has not confirmed; undefined when none waits. */
  readonly unsentSubjectId: SubjectId | null | undefined;
  /** Counts focus under a subject, or none, from now on. */
  readonly chooseSubject: (subjectId: SubjectId | null) => void;
}

/** Cache key of a learner's subjects. */
export const subjectsKey = (userId: UserId) => ['subjects', userId] as const;

/** Stores which subject is current. */
export function takeCurrentSubject(userId: UserId, currentId: SubjectId | null): void {
  queryClient.setQueryData<OwnSubjects>(
    subjectsKey(userId),
    (known) => known && { ...known, currentId },
  );
}
