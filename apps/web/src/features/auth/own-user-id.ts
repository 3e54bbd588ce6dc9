import { UserId } from '@mogakgong/contract';
import { useRestriction, useSession } from './session.ts';

/** The logged-in learner's id as the API takes it, or null when there is none (specification §5). */
export function useOwnUserId(): UserId | null {
  return useSession((session) => {
    const parsed = UserId.safeParse(session.user?.userId);
    return parsed.success ? parsed.data : null;
  });
}

/** As `useOwnUserId`; null for a restricted account as well: its requests are refused. */
export function useUnrestrictedUserId(): UserId | null {
  const ownUserId = useOwnUserId();
  return useRestriction() === null ? ownUserId : null;
}
