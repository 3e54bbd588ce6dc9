import { NO_TITLE_KEY, type UserId } from '@mogakgong/contract';
import { useRoute } from 'wouter';
import { useProfile } from '../../shared/api/profile.ts';
import { paths } from '../../shared/lib/paths.ts';
import { TitleBadge } from './title-badge.tsx';

/**
 * The learner's own title in the header; without one, the prompt to choose (specification §3), as soon as one
 * was won, but not in a room, where it would ask for something all session.
 */
export function HeaderTitle({ userId }: { readonly userId: UserId }) {
  const profile = useProfile(userId);
  const [isInRoom] = useRoute(paths.studyRoom);
  if (profile === null) return null;
  const { selectedTitle, hasWonTitle } = profile;
  const isWorn = selectedTitle.key !== NO_TITLE_KEY;
  if (isWorn) {
    return (
      <span className="min-w-0 font-normal text-caption text-lamp-ink">
        <TitleBadge title={selectedTitle} />
      </span>
    );
  }
  if (hasWonTitle !== true || isInRoom) return null;
  return (
    <span className="min-w-0 font-normal text-caption text-ink-soft">
      <TitleBadge title={null} />
    </span>
  );
}
