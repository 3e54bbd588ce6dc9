import type { UserId } from '@mogakgong/contract';
import { TitleBadge } from './title-badge.tsx';
import { useWornTitle } from './worn-title.ts';

/** The learner's own title in the header; where none is worn, the text that asks for one (specification §3). */
export function HeaderTitle({ userId }: { readonly userId: UserId }) {
  const title = useWornTitle(userId);
  if (title === undefined) return null;
  return (
    <span className="min-w-0 font-normal text-caption text-lamp-ink">
      <TitleBadge title={title} placeholder />
    </span>
  );
}
