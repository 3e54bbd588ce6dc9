import { useTranslation } from '../shared/i18n/texts.ts';
import { Spinner } from '../shared/ui/spinner.tsx';

/** In place of a page that is being downloaded. */
export function PageLoading() {
  const { t } = useTranslation();
  return (
    <div
      role="status"
      data-page-loading=""
      className="m-auto flex items-center gap-3 p-10 text-ink-soft"
    >
      <Spinner />
      {t('common.loading')}
    </div>
  );
}
