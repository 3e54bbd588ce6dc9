import type { ReactNode } from 'react';
import { Link, useSearch } from 'wouter';
import { returnPath, withReturnPath } from './return-path.ts';

interface AuthLinkProps {
  readonly href: string;
  readonly children: ReactNode;
}

/** A link between pages about logging in: takes along where the learner wanted to go. */
export function AuthLink({ href, children }: AuthLinkProps) {
  const next = returnPath(useSearch());
  return (
    <Link
      href={withReturnPath(href, next)}
      className="inline-flex min-h-11 items-center font-semibold text-ink-soft underline-offset-4 hover:text-ink hover:underline"
    >
      {children}
    </Link>
  );
}
