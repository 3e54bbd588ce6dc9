import type { UserId } from '@mogakgong/contract';
import { ChartNoAxesColumn } from 'lucide-react';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { PasswordRow } from '../../features/auth/password-row.tsx';
import { useSession } from '../../features/auth/session.ts';
import { useFocusSettings } from '../../features/focus/use-focus-settings.ts';
import { UserInfo } from '../../features/profile/user-info.tsx';
import { AchievementFigures } from '../../features/statistics/achievement-figures.tsx';
import { TitlesSection } from '../../features/titles/titles-section.tsx';
import { studyTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { LinkButton } from '../../shared/ui/button.tsx';
import { usePageTitle } from '../../shared/ui/page-title.ts';
import { Panel } from '../../shared/ui/panel.tsx';

/** A learner's own page: user info, titles and achievements (specification §2, `/mypage`). */
export function MyPage() {
  const { t } = useTranslation(studyTexts);
  const userId = useOwnUserId();
  const user = useSession((session) => session.user);
  usePageTitle(t('titles.page.title'));
  return (
    <div className="mx-auto grid w-full max-w-[72rem] gap-4 px-4 py-8 sm:gap-6 sm:px-6 sm:py-12">
      <h1 className="pb-2 font-extrabold text-heading">{t('titles.page.title')}</h1>
      {userId !== null && user && (
        <UserInfo
          userId={userId}
          nickname={user.nickname}
          email={user.email}
          profileImage={user.profileImageUrl}
        >
          <PasswordRow userId={userId} />
        </UserInfo>
      )}
      <Panel
        title={t('titles.page.achievements')}
        actions={
          <LinkButton href={paths.statistics} variant="quiet" size="small" icon={ChartNoAxesColumn}>
            {t('titles.page.toStatistics')}
          </LinkButton>
        }
      >
        {userId !== null && <Achievements userId={userId} />}
      </Panel>
    </div>
  );
}

function Achievements({ userId }: { readonly userId: UserId }) {
  const settings = useFocusSettings(userId);
  return (
    <>
      <AchievementFigures userId={userId} />
      <div className="border-line border-t pt-6">
        <TitlesSection userId={userId} timeZone={settings.value?.timeZone} />
      </div>
    </>
  );
}
