import type { OwnSubjects, SubjectId, UserId } from '@mogakgong/contract';
import { queryClient } from '../../shared/api/query.ts';

/** The choice of a subject in one seat. */
export interface SubjectChoice {
  /** What was chosen and the server has not confirmed; undefined when nothing waits. */
  readonly unsentSubjectId: SubjectId | null | undefined;
  /** Counts focus under a subject, or none, from now on. */
  readonly chooseSubject: (subjectId: SubjectId | null) => void;
}

/** What the server says of a learner's subjects. */
export const subjectsKey = (userId: UserId) => ['subjects', userId] as const;

/** Takes over which subject is current. */
export function takeCurrentSubject(userId: UserId, currentId: SubjectId | null): void {
  queryClient.setQueryData<OwnSubjects>(
    subjectsKey(userId),
    (known) => known && { ...known, currentId },
  );
}
