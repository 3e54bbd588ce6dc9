import type { UserId } from '@mogakgong/contract';
import { studyTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Panel } from '../../shared/ui/panel.tsx';

import { LeaderboardView } from './leaderboard-view.tsx';
import { useFriendsLeaderboard } from './use-leaderboard.ts';

/** The leaderboard of the learner's friends. */
export function FriendsLeaderboard({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(studyTexts);
  return (
    <Panel title={t('leaderboard.title')}>
      <LeaderboardView userId={userId} leaderboard={useFriendsLeaderboard(userId)} />
    </Panel>
  );
}
