import { UserId } from '@mogakgong/contract';
import { lazy, Suspense } from 'react';
import { HeaderAccount } from '../features/auth/header-account.tsx';
import { useSession } from '../features/auth/session.ts';

/** Downloaded by those who are logged in only. */
const TodayTime = lazy(async () => ({
  default: (await import('../features/focus/today-time.tsx')).TodayTime,
}));

/** The end of the header: who is logged in, and what they studied today. */
export function Account() {
  const userId = useSession((session) => (session.isLoggedIn ? session.user?.userId : undefined));
  const learner = UserId.safeParse(userId);
  return (
    <HeaderAccount
      aside={
        learner.success && (
          <Suspense fallback={<span className="w-16" />}>
            <TodayTime key={learner.data} userId={learner.data} />
          </Suspense>
        )
      }
    />
  );
}
