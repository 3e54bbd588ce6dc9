import type { UserId } from '@mogakgong/contract';
import { TitleBadge } from './title-badge.tsx';
import { useWornTitle, useWornTitleWatch } from './worn-title.ts';

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

/** Keeps what the header shows of the title up to date, however often that is drawn. */
export function WornTitleWatch({ userId }: { readonly userId: UserId }) {
  useWornTitleWatch(userId);
  return null;
}
