import type { OwnSubjects, SubjectId, UserId } from '@mogakgong/contract';
import { learnerKey } from '../../shared/api/profile.ts';
import { queryClient } from '../../shared/api/query.ts';

/** Cache key of a learner's subjects. */
export const subjectsKey = (userId: UserId) => [...learnerKey(userId), 'subjects'] as const;

/** Stores which subject is current. */
export function takeCurrentSubject(userId: UserId, currentId: SubjectId | null): void {
  queryClient.setQueryData<OwnSubjects>(
    subjectsKey(userId),
    (known) => known && { ...known, currentId },
  );
}
