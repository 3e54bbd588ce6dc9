import { socialTexts } from '../../features/auth/social-texts.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { usePageTitle } from '../../shared/ui/page-title.ts';
import { Spinner } from '../../shared/ui/spinner.tsx';

/** What is shown until a log-in is finished (specification §2). */
export function Processing() {
  const { t } = useTranslation(socialTexts);
  usePageTitle(t('callback.title'));
  return (
    <div role="status" className="m-auto grid justify-items-center gap-4 p-10 text-ink-soft">
      <h1 className="font-bold text-lead text-ink">{t('callback.title')}</h1>
      <Spinner />
      {t('callback.text')}
    </div>
  );
}
