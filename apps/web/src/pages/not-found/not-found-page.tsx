import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { LinkButton } from '../../shared/ui/button.tsx';
import { Lamp } from '../../shared/ui/lamp.tsx';
import { usePageTitle } from '../../shared/ui/page-title.ts';

/** The page of an unknown address (specification §2, `*`). */
export function NotFoundPage() {
  const { t } = useTranslation();
  usePageTitle(t('notFound.title'));
  return (
    <div className="m-auto grid justify-items-center gap-3 px-4 py-20 text-center">
      <div className="text-ink-soft">
        <Lamp light="off" size={112} />
      </div>
      <p className="font-extrabold text-display tabular-nums">{t('notFound.code')}</p>
      <h1 className="font-bold text-title">{t('notFound.text')}</h1>
      <div className="mt-4">
        <LinkButton href={paths.landing} variant="primary" size="large">
          {t('notFound.home')}
        </LinkButton>
      </div>
    </div>
  );
}
