import { UserId } from '@mogakgong/contract';
import { HeaderAccount } from '../features/auth/header-account.tsx';
import { useSession } from '../features/auth/session.ts';
import { TodayTime } from '../features/focus/today-time.tsx';
import { HeaderTitle } from '../features/titles/header-title.tsx';
import { TitleCelebration } from '../features/titles/title-celebration.tsx';

/** The end of the header for who is logged in: what they studied today, who they are, their menu, what they won. */
export function LearnerAccount() {
  const userId = useSession((session) => session.user?.userId);
  const learner = UserId.safeParse(userId);
  return (
    <>
      <HeaderAccount
        title={learner.success && <HeaderTitle key={learner.data} userId={learner.data} />}
        aside={learner.success && <TodayTime key={learner.data} userId={learner.data} />}
      />
      <TitleCelebration />
    </>
  );
}
