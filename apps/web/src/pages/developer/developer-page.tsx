import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { devPaths } from '../../shared/lib/paths.ts';
import { usePageTitle } from '../../shared/ui/page-title.ts';
import { useDeveloperTexts } from './developer-texts.ts';

interface DeveloperPageProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** What surrounds every developer page: its title and the way to the others. */
export function DeveloperPage({ title, children }: DeveloperPageProps) {
  const texts = useDeveloperTexts();
  usePageTitle(title);
  const links = [
    [devPaths.testPage, texts.testPage],
    [devPaths.messageTest, texts.messageTest],
    [devPaths.blockTest, texts.blockTest],
    [devPaths.apiStatus, texts.apiStatus],
  ] as const;
  return (
    <div className="mx-auto grid w-full max-w-5xl gap-8 px-4 py-8 sm:px-6">
      <header className="grid gap-3">
        <p className="font-semibold text-caption text-lamp-ink">{texts.forDevelopers}</p>
        <h1 className="font-bold text-title">{title}</h1>
        <nav aria-label={texts.forDevelopers} className="flex flex-wrap gap-x-5 gap-y-1">
          {links.map(([href, label]) => (
            <Link
              key={href}
              href={href}
              className="inline-flex min-h-9 items-center text-ink-soft text-small underline hover:text-ink"
            >
              {label}
            </Link>
          ))}
        </nav>
      </header>
      {children}
    </div>
  );
}
