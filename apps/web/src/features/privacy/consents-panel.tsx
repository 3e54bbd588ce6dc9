import type { UserId } from '@mogakgong/contract';
import { Link } from 'wouter';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { Panel } from '../../shared/ui/panel.tsx';

import { usePrivacyState } from './use-privacy-state.ts';

/** Where the text of a consent is. */
const TEXTS = { age: undefined, terms: paths.terms, privacy: paths.privacy } as const;

/** The learner's consents and their dates. */
export function ConsentsPanel({ userId }: { readonly userId: UserId }) {
  const { t, language } = useTranslation(accountTexts);
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
                <li key={name}>
                  <p className="font-semibold">
                    {href ? (
                      <Link href={href} className="underline underline-offset-4">
                        {title}
                      </Link>
                    ) : (
                      title
                    )}
                  </p>
                  <p className="text-ink-soft text-small">
                    {t('consents.version', { version, time: dates.format(acceptedAtMs) })}
                  </p>
                </li>
              );
            })}
          </ul>
        )}
      </LoadState>
    </Panel>
  );
}
