import type { UserId } from '@mogakgong/contract';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { LinkButton } from '../../shared/ui/button.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { ownDataTexts } from './own-data-texts.ts';
import { usePrivacyState } from './use-privacy-state.ts';

/** Where the text of a consent is. */
const TEXTS = { age: undefined, terms: paths.terms, privacy: paths.privacy } as const;

/** What the learner has agreed to, and when. */
export function ConsentsPanel({ userId }: { readonly userId: UserId }) {
  const { t, language } = useTranslation(ownDataTexts);
  const state = usePrivacyState(userId, t('consents.loadFailed'));
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  return (
    <Panel title={t('consents.title')} lead={t('consents.lead')}>
      <LoadState of={state}>
        {({ consents }) => (
          <ul className="grid gap-4">
            {consents.map(({ name, version, acceptedAtMs }) => {
              const title = t(`consents.${name}`);
              const href = TEXTS[name];
              return (
                <li key={name} className="flex flex-wrap items-center gap-x-4 gap-y-2">
                  <div className="min-w-0 flex-1">
                    <p className="font-semibold">{title}</p>
                    <p className="text-ink-soft text-small">
                      {t('consents.version', { version, time: dates.format(acceptedAtMs) })}
                    </p>
                  </div>
                  {href && (
                    <LinkButton href={href} size="small">
                      {t('consents.read', { name: title })}
                    </LinkButton>
                  )}
                </li>
              );
            })}
          </ul>
        )}
      </LoadState>
    </Panel>
  );
}
