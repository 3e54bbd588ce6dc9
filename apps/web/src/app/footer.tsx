import { Link } from 'wouter';
import { type TextKey, useTranslation } from '../shared/i18n/texts.ts';
import { paths } from '../shared/lib/paths.ts';
import { LogoMark } from '../shared/ui/logo.tsx';

const LINKS: readonly { readonly href: string; readonly label: TextKey }[] = [
  { href: paths.terms, label: 'footer.terms' },
  { href: paths.privacy, label: 'footer.privacy' },
  { href: paths.landing, label: 'footer.service' },
  { href: paths.main, label: 'footer.main' },
];

/** The links under every page (specification §2). */
export function Footer() {
  const { t } = useTranslation();
  return (
    <footer className="border-line border-t">
      <div className="mx-auto flex w-full max-w-[84rem] flex-wrap items-center justify-between gap-x-10 gap-y-5 px-4 py-8 sm:px-6">
        <div className="flex items-center gap-3 text-ink-soft">
          <LogoMark size={24} />
          <p className="text-small">{t('footer.tagline')}</p>
        </div>
        <nav aria-label={t('footer.nav')} className="max-sm:w-full">
          <ul className="grid grid-cols-[auto_auto] gap-x-6 gap-y-1 sm:flex">
            {LINKS.map(({ href, label }) => (
              <li key={href}>
                <Link
                  href={href}
                  className="inline-flex min-h-9 items-center max-lg:min-h-11 text-ink-soft text-small hover:text-ink hover:underline"
                >
                  {t(label)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <p className="text-caption text-ink-soft">{t('footer.copyright')}</p>
      </div>
    </footer>
  );
}
