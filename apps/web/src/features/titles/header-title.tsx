import { NO_TITLE_KEY, type UserId } from '@mogakgong/contract';
import { useProfile } from '../../shared/api/profile.ts';
import { TitleBadge } from './title-badge.tsx';

/**
 * The learner's own title in the header; without one, the prompt to choose (specification §3), as soon as one
 * was won.
 */
export function HeaderTitle({ userId }: { readonly userId: UserId }) {
  const profile = useProfile(userId);
  if (profile === null) return null;
  const { selectedTitle, hasWonTitle } = profile;
  const isWorn = selectedTitle.key !== NO_TITLE_KEY;
  if (!isWorn && hasWonTitle !== true) return null;
  return (
    <span className="min-w-0 font-normal text-caption text-lamp-ink">
      <TitleBadge title={isWorn ? selectedTitle : null} />
    </span>
  );
}
