import type { UserId } from '@mogakgong/contract';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { LinkButton } from '../../shared/ui/button.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { settingsTexts } from './settings-texts.ts';

/** What is known of the learner, and to whom: one panel for each question. */
export function PrivacySection(_: { readonly userId: UserId }) {
  return <SeenByOthers />;
}

function SeenByOthers() {
  const { t } = useTranslation(settingsTexts);
  return (
    <Panel title={t('privacy.seen')} lead={t('privacy.seenWhere')}>
      <ul className="grid list-disc gap-1 pl-5">
        <li>{t('privacy.seenProfile')}</li>
        <li>{t('privacy.seenTimer')}</li>
        <li>{t('privacy.seenGoal')}</li>
      </ul>
      <p>{t('privacy.notSeen')}</p>
      <div>
        <LinkButton href={paths.privacy} size="small">
          {t('privacy.policy')}
        </LinkButton>
      </div>
    </Panel>
  );
}
