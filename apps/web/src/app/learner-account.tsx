import type { UserId } from '@mogakgong/contract';
import { useEffect } from 'react';
import { HeaderAccount } from '../features/auth/header-account.tsx';
import { useOwnUserId } from '../features/auth/own-user-id.ts';
import { Reauthentication } from '../features/auth/reauthentication.tsx';
import { useRestriction } from '../features/auth/session.ts';
import { TodayTime } from '../features/focus/today-time.tsx';
import { SanctionNotices } from '../features/sanctions/sanction-notices.tsx';
import { HeaderTitle } from '../features/titles/header-title.tsx';
import { TitleCelebration } from '../features/titles/title-celebration.tsx';
import { useTranslation } from '../shared/i18n/texts.ts';
import { startServiceWorker } from './service-worker.ts';

/** The end of the header for a logged-in learner: today's focus time, title, nickname and menu. */
export function LearnerAccount() {
  const userId = useUnrestrictedUserId();
  const { language } = useTranslation();
  useEffect(() => startServiceWorker(language), [language]);
  return (
    <>
      <HeaderAccount
        title={userId !== null && <HeaderTitle key={userId} userId={userId} />}
        aside={userId !== null && <TodayTime key={userId} userId={userId} />}
      />
      <TitleCelebration />
    </>
  );
}

/** Windows that any page may open. They are outside the header, which a room on a phone hides. */
export function LearnerWindows() {
  const ownUserId = useOwnUserId();
  const userId = useUnrestrictedUserId();
  return (
    <>
      {userId !== null && <SanctionNotices key={userId} userId={userId} />}
      {ownUserId !== null && <Reauthentication userId={ownUserId} />}
    </>
  );
}

/** Null for a restricted account as well: its requests are refused. */
function useUnrestrictedUserId(): UserId | null {
  const ownUserId = useOwnUserId();
  return useRestriction() === null ? ownUserId : null;
}
