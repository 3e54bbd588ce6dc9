import type { UserId } from '@mogakgong/contract';
import { studyTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Checkbox, NotedLabel } from '../../shared/ui/checkbox.tsx';

import { useLeaderboardSetting, useLeaderboardToggle } from './use-leaderboard.ts';

/** The setting whether the learner is shown on leaderboards. */
export function LeaderboardSwitch({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(studyTexts);
  const { value, error } = useLeaderboardSetting(userId);
  const { setOn, pendingValue } = useLeaderboardToggle(userId);
  return (
    <Checkbox
      label={<NotedLabel label={t('switch.label')} note={t('switch.note')} />}
      error={error ?? undefined}
      disabled={value === null}
      checked={pendingValue ?? value?.isOn ?? false}
      onChange={(event) => setOn(event.target.checked)}
    />
  );
}
