import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { moderationTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { devPaths } from '../../shared/lib/paths.ts';
import { usePageTitle } from '../../shared/ui/page-title.ts';

type PageName = keyof typeof devPaths;
const names = Object.keys(devPaths) as readonly PageName[];

interface DeveloperPageProps {
  readonly name: PageName;
  readonly children: ReactNode;
}

/** The frame of every developer page: its title and links to the others. */
export function DeveloperPage({ name, children }: DeveloperPageProps) {
  const { t } = useTranslation(moderationTexts);
  usePageTitle(t(`developer.${name}`));
  return (
    <div className="mx-auto grid w-full max-w-5xl gap-8 px-4 py-8 sm:px-6">
      <header className="grid gap-3">
        <p className="font-semibold text-caption text-lamp-ink">{t('developer.forDevelopers')}</p>
        <h1 className="font-bold text-title">{t(`developer.${name}`)}</h1>
        <nav aria-label={t('developer.forDevelopers')} className="flex flex-wrap gap-x-5 gap-y-1">
          {names.map((other) => (
            <Link
              key={other}
              href={devPaths[other]}
              className="inline-flex min-h-9 items-center text-ink-soft text-small underline hover:text-ink"
            >
              {t(`developer.${other}`)}
            </Link>
          ))}
        </nav>
      </header>
      {children}
    </div>
  );
}
