import type { ReactNode } from 'react';
import { Link, Redirect, useSearch } from 'wouter';
import { Lamp } from '../../shared/ui/lamp.tsx';
import { usePageTitle } from '../../shared/ui/page-title.ts';
import { returnPath, withReturnPath } from './return-path.ts';
import { useSession } from './session.ts';

interface AuthCardProps {
  readonly title: string;
  readonly lead: string;
  /** Neighbouring pages by path. They keep the return path. */
  readonly links?: Readonly<Record<string, string>>;
  readonly children: ReactNode;
}

/** A page for logged-out visitors; a logged-in learner is redirected to the return path. */
export function AuthPage(props: AuthCardProps) {
  const isLoggedIn = useSession((session) => session.isLoggedIn);
  const next = returnPath(useSearch());
  return isLoggedIn ? <Redirect to={next} replace /> : <AuthCard {...props} />;
}

/** The layout of a page about logging in: a lamp and a card. */
export function AuthCard({ title, lead, links = {}, children }: AuthCardProps) {
  const next = returnPath(useSearch());
  usePageTitle(title);
  return (
    <div className="mx-auto my-auto max-sm:my-0 grid w-full max-w-[30rem] gap-6 px-4 py-10 sm:py-16">
      <header className="grid justify-items-center gap-2 text-center">
        <Lamp light="burning" size={64} />
        <h1 className="text-heading font-extrabold">{title}</h1>
        <p className="text-ink-soft text-small">{lead}</p>
      </header>
      <div className="rounded-large border border-line bg-surface p-5 shadow-raised sm:p-8">
        {children}
      </div>
      <nav className="flex flex-wrap items-center justify-center gap-x-6 gap-y-1 text-small">
        {Object.entries(links).map(([path, label]) => (
          <Link
            key={path}
            href={withReturnPath(path, next)}
            className="inline-flex min-h-11 items-center font-semibold text-ink-soft underline-offset-4 hover:text-ink hover:underline"
          >
            {label}
          </Link>
        ))}
      </nav>
    </div>
  );
}
