import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useTranslation } from '../shared/i18n/texts.ts';
import { paths } from '../shared/lib/paths.ts';
import { classNames } from '../shared/ui/class-names.ts';
import { Logo } from '../shared/ui/logo.tsx';

export const headerLink =
  'inline-flex min-h-11 items-center whitespace-nowrap rounded-small px-3 font-semibold text-ink-soft text-small hover:text-ink';

interface HeaderProps {
  readonly account: ReactNode;
  /** Further links beside the one to the study rooms. */
  readonly links?: ReactNode;
  /** The header takes the full window width, like the page below it. */
  readonly wide?: boolean;
}

/** The bar above every page (specification §2). */
export function Header({ account, links, wide = false }: HeaderProps) {
  const { t } = useTranslation();
  return (
    <header className="sticky top-0 z-30 h-16 border-line border-b bg-ground">
      <div
        className={classNames(
          'mx-auto flex h-full w-full items-center gap-1 px-4 sm:gap-3 sm:px-6',
          // Above a room that is being opened the header is wide from the first paint (theme.js).
          !wide && 'max-w-[84rem] in-[[data-seated=here]_[data-ahead]]:max-w-none',
        )}
      >
        <Link
          href={paths.landing}
          aria-label={t('header.home')}
          className="inline-flex min-h-11 min-w-11 shrink-0 items-center rounded-small"
        >
          <Logo />
        </Link>
        <nav aria-label={t('header.nav')} className="ml-2 flex shrink-0 max-sm:hidden">
          <Link href={paths.main} className={headerLink}>
            {t('header.main')}
          </Link>
          {links}
        </nav>
        <div data-header-end="" className="ml-auto flex min-w-0 items-center gap-0.5 sm:gap-1">
          {account}
        </div>
      </div>
    </header>
  );
}
