import { NO_TITLE_KEY, type UserId } from '@mogakgong/contract';
import { useProfile } from '../../shared/api/profile.ts';
import { TitleBadge } from './title-badge.tsx';

/** The learner's own title in the header; where none is worn, the text that asks for one (specification §3). */
export function HeaderTitle({ userId }: { readonly userId: UserId }) {
  const worn = useProfile(userId)?.selectedTitle;
  if (worn === undefined) return null;
  return (
    <span className="min-w-0 font-normal text-caption text-lamp-ink">
      <TitleBadge title={worn.key === NO_TITLE_KEY ? null : worn} />
    </span>
  );
}
