import type { UserId } from '@mogakgong/contract';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Panel } from '../../shared/ui/panel.tsx';
import { leaderboardTexts } from './leaderboard-texts.ts';
import { LeaderboardView } from './leaderboard-view.tsx';
import { useFriendsLeaderboard } from './use-leaderboard.ts';

/** The leaderboard of the learner's friends. */
export function FriendsLeaderboard({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(leaderboardTexts);
  return (
    <Panel title={t('title')}>
      <LeaderboardView userId={userId} leaderboard={useFriendsLeaderboard(userId)} />
    </Panel>
  );
}
