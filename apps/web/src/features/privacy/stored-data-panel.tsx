import { CHAT_KEPT_DAYS } from '@mogakgong/contract';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Panel } from '../../shared/ui/panel.tsx';

const ROWS = [
  { what: 'stored.account', kept: 'stored.untilDeletion' },
  { what: 'stored.study', kept: 'stored.untilDeletion' },
  { what: 'stored.choices', kept: 'stored.untilDeletion' },
  { what: 'stored.devices', kept: 'stored.devicesKept' },
  { what: 'stored.chat', kept: 'stored.chatKept' },
  { what: 'stored.sanctions', kept: 'stored.sanctionsKept' },
] as const;

/** The data stored about the learner and its retention: the privacy policy in short. */
export function StoredDataPanel() {
  const { t } = useTranslation(accountTexts);
  return (
    <Panel title={t('stored.title')} lead={t('stored.lead')}>
      <dl className="grid divide-y divide-line">
        {ROWS.map(({ what, kept }) => (
          <div
            key={what}
            className="grid gap-x-6 py-3 first:pt-0 last:pb-0 sm:grid-cols-[minmax(0,1fr)_14rem]"
          >
            <dt>{t(what)}</dt>
            <dd className="text-ink-soft text-small sm:text-right">
              {t(kept, { days: CHAT_KEPT_DAYS })}
            </dd>
          </div>
        ))}
      </dl>
      <p className="text-small">{t('stored.never')}</p>
    </Panel>
  );
}
