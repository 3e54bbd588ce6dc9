import { useEffect } from 'react';
import { Link } from 'wouter';
import { HeaderAccount } from '../features/auth/header-account.tsx';
import { useOwnUserId, useUnrestrictedUserId } from '../features/auth/own-user-id.ts';
import { TodayTime } from '../features/focus/today-time.tsx';
import { HeaderTitle } from '../features/titles/header-title.tsx';
import { TitleCelebration } from '../features/titles/title-celebration.tsx';
import { useProfile } from '../shared/api/profile.ts';
import { useTranslation } from '../shared/i18n/texts.ts';
import { paths } from '../shared/lib/paths.ts';
import { NewsDot } from '../shared/ui/news-dot.tsx';
import { headerLink } from './header.tsx';

const link = `${headerLink} max-md:hidden`;

/** The end of the header for a logged-in learner: today's focus time, title, nickname and menu. */
export function LearnerAccount() {
  const userId = useUnrestrictedUserId();
  const { language } = useTranslation();
  useEffect(() => {
    let stop: (() => void) | null = () => undefined;
    import('./offline.ts').then(
      ({ prepareForOffline }) => {
        if (stop) stop = prepareForOffline(language);
      },
      // Nothing is kept then.
      () => undefined,
    );
    return () => {
      stop?.();
      stop = null;
    };
  }, [language]);
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

/** The learner's statistics, groups and friends in the header; in narrow windows they are in the menu. */
export function LearnerLinks() {
  const { t } = useTranslation();
  const profile = useProfile(useOwnUserId());
  return (
    <>
      <Link href={paths.statistics} className={link}>
        {t('account.statistics')}
      </Link>
      <Link href={paths.groups} className={link}>
        {t('account.groups')}
      </Link>
      <Link href={paths.friends} className={link}>
        {t('account.friends')}
        {profile?.hasFriendRequest && (
          <>
            <NewsDot className="ml-1.5" />
            <span className="sr-only"> {t('account.friendNews')}</span>
          </>
        )}
      </Link>
    </>
  );
}
