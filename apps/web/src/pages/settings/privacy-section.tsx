import type { UserId } from '@mogakgong/contract';
import { useGoal } from '../../features/goals/use-goal.ts';
import { LeaderboardSwitch } from '../../features/leaderboard/leaderboard-switch.tsx';
import { ConsentsPanel } from '../../features/privacy/consents-panel.tsx';
import { ExportPanel } from '../../features/privacy/export-panel.tsx';
import { StoredDataPanel } from '../../features/privacy/stored-data-panel.tsx';
import { accountTexts } from '../../shared/i18n/namespaces.ts';

import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { LinkButton } from '../../shared/ui/button.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { AccountDeletion } from './account-deletion.tsx';

/** The data known about the learner and its viewers: one panel for each question. */
export function PrivacySection({ userId }: { readonly userId: UserId }) {
  return (
    <>
      <SeenByOthers userId={userId} />
      <StoredDataPanel />
      <ExportPanel />
      <ConsentsPanel userId={userId} />
      <AccountDeletion />
    </>
  );
}

function SeenByOthers({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(accountTexts);
  const goal = useGoal(userId);
  return (
    <Panel title={t('privacy.seen')} lead={t('privacy.seenWhere')}>
      <ul className="grid list-disc gap-1 pl-5">
        <li>{t('privacy.seenProfile')}</li>
        <li>{t('privacy.seenTimer')}</li>
        <li>{t('privacy.seenGoal')}</li>
        <li>{t('privacy.seenToday')}</li>
      </ul>
      <Checkbox
        label={t('privacy.showGoal')}
        disabled={goal.value === null}
        checked={goal.value?.isVisible ?? false}
        onChange={(event) => goal.change({ isVisible: event.target.checked })}
      />
      <LeaderboardSwitch userId={userId} />
      <p className="text-ink-soft text-small">{t('privacy.notSeen')}</p>
      <div>
        <LinkButton href={paths.privacy} size="small">
          {t('privacy.policy')}
        </LinkButton>
      </div>
    </Panel>
  );
}
