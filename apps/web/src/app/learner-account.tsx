import { HeaderAccount } from '../features/auth/header-account.tsx';
import { useOwnUserId } from '../features/auth/own-user-id.ts';
import { Reauthentication } from '../features/auth/reauthentication.tsx';
import { TodayTime } from '../features/focus/today-time.tsx';
import { HeaderTitle } from '../features/titles/header-title.tsx';
import { TitleCelebration } from '../features/titles/title-celebration.tsx';

/** The end of the header for who is logged in: what they studied today, who they are, their menu, what they won. */
export function LearnerAccount() {
  const userId = useOwnUserId();
  return (
    <>
      <HeaderAccount
        title={userId !== null && <HeaderTitle key={userId} userId={userId} />}
        aside={userId !== null && <TodayTime key={userId} userId={userId} />}
      />
      <TitleCelebration />
      {userId !== null && <Reauthentication userId={userId} />}
    </>
  );
}
