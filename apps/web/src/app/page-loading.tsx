import { useTranslation } from '../shared/i18n/texts.ts';
import { Waiting } from '../shared/ui/waiting.tsx';

/** Placeholder while a page is downloaded. */
export function PageLoading() {
  const { t } = useTranslation();
  return (
    <div data-page-loading="" className="m-auto p-10">
      <Waiting>{t('common.loading')}</Waiting>
    </div>
  );
}
