import { type ReactNode, Suspense } from 'react';
import { useRoute } from 'wouter';
import { useTranslation } from '../shared/i18n/texts.ts';
import { paths } from '../shared/lib/paths.ts';
import { Spinner } from '../shared/ui/spinner.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';

const MAIN_ID = 'content';

interface LayoutProps {
  /** Who is logged in, or the way to log in: the end of the header. */
  readonly account: ReactNode;
  readonly children: ReactNode;
}

/** Header, page and footer. A study room takes the whole height and has no footer. */
export function Layout({ account, children }: LayoutProps) {
  const { t } = useTranslation();
  const [isStudyRoom] = useRoute(paths.studyRoom);
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href={`#${MAIN_ID}`}
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-medium bg-primary px-4 py-3 font-semibold text-on-primary text-small focus:translate-y-0"
      >
        {t('header.skip')}
      </a>
      <Header account={account} wide={isStudyRoom} />
      <main id={MAIN_ID} tabIndex={-1} className="flex flex-1 flex-col outline-none">
        <Suspense fallback={<PageLoading />}>{children}</Suspense>
      </main>
      {!isStudyRoom && <Footer />}
    </div>
  );
}

function PageLoading() {
  const { t } = useTranslation();
  return (
    <div role="status" className="m-auto flex items-center gap-3 p-10 text-ink-soft">
      <Spinner />
      {t('common.loading')}
    </div>
  );
}
