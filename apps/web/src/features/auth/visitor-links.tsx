import type { LucideIcon } from 'lucide-react';
import { paths } from '../../shared/lib/paths.ts';
import { LinkButton } from '../../shared/ui/button.tsx';
import { withReturnPath } from './return-path.ts';

interface VisitorLinksProps {
  /** The page to come back to. */
  readonly next: string;
  readonly login: string;
  readonly join: string;
  readonly icon?: LucideIcon;
}

/** The ways on for a visitor of a link that needs an account. */
export function VisitorLinks({ next, login, join, icon }: VisitorLinksProps) {
  return (
    <div className="grid gap-3">
      <LinkButton
        variant="primary"
        size="large"
        wide
        icon={icon}
        href={withReturnPath(paths.login, next)}
      >
        {login}
      </LinkButton>
      <LinkButton size="large" wide href={withReturnPath(paths.join, next)}>
        {join}
      </LinkButton>
    </div>
  );
}
