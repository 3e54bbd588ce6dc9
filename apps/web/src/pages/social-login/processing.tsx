import { accountTexts } from '../../shared/i18n/namespaces.ts';

import { useTranslation } from '../../shared/i18n/texts.ts';
import { usePageTitle } from '../../shared/ui/page-title.ts';
import { Waiting } from '../../shared/ui/waiting.tsx';

/** Shown until a log-in is finished (specification §2). */
export function Processing() {
  const { t } = useTranslation(accountTexts);
  usePageTitle(t('callback.title'));
  return (
    <div className="m-auto grid justify-items-center gap-4 p-10">
      <h1 className="font-bold text-lead text-ink">{t('callback.title')}</h1>
      <Waiting>{t('callback.text')}</Waiting>
    </div>
  );
}
