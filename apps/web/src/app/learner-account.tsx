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

/** The end of the header for who is logged in: what they studied today, who they are, their menu, what they won. */
export function LearnerAccount() {
  const ownUserId = useOwnUserId();
  const { language } = useTranslation();
  useEffect(() => startServiceWorker(language), [language]);
  // A restricted account gets no answers to what these ask.
  const isRestricted = useRestriction() !== null;
  const userId = isRestricted ? null : ownUserId;
  return (
    <>
      <HeaderAccount
        title={userId !== null && <HeaderTitle key={userId} userId={userId} />}
        aside={userId !== null && <TodayTime key={userId} userId={userId} />}
      />
      <TitleCelebration />
      {userId !== null && <SanctionNotices key={userId} userId={userId} />}
      {ownUserId !== null && <Reauthentication userId={ownUserId} />}
    </>
  );
}
