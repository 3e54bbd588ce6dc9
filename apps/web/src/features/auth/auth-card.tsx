import type { ReactNode } from 'react';
import { Lamp } from '../../shared/ui/lamp.tsx';

interface AuthCardProps {
  readonly title: string;
  readonly lead: string;
  readonly children: ReactNode;
  /** The ways to the neighbouring pages, under the card. */
  readonly links: ReactNode;
}

/** The desk at which one logs in or signs up: one lamp, one card. */
export function AuthCard({ title, lead, children, links }: AuthCardProps) {
  return (
    <div className="m-auto grid w-full max-w-[30rem] gap-6 px-4 py-10 sm:py-16">
      <header className="grid justify-items-center gap-2 text-center">
        <Lamp light="burning" size={64} decorative />
        <h1 className="text-heading font-extrabold">{title}</h1>
        <p className="text-ink-soft text-small">{lead}</p>
      </header>
      <div className="rounded-large border border-line bg-surface p-5 shadow-raised sm:p-8">
        {children}
      </div>
      <nav className="flex flex-wrap items-center justify-center gap-x-6 gap-y-1 text-small">
        {links}
      </nav>
    </div>
  );
}
