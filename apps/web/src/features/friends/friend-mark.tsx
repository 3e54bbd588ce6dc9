import { type Friends, getFriends, type UserId } from '@mogakgong/contract';
import { useQuery } from '@tanstack/react-query';
import UserCheck from 'lucide-react/icons/user-check';
import { call } from '../../shared/api/index.ts';
import { learnerKey } from '../../shared/api/profile.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { untilIdle } from '../../shared/lib/until-idle.ts';

/** The key of the learner's friends and requests, which notices read again. */
export const friendsKey = (userId: UserId) => [...learnerKey(userId), 'friends'];

interface FriendMarkProps {
  /** The viewing learner. */
  readonly selfId: UserId;
  readonly userId: UserId;
}

/** Beside the name of a friend in the room. */
export function FriendMark({ selfId, userId }: FriendMarkProps) {
  const { t } = useTranslation();
  const { data: isFriend } = useQuery({
    queryKey: friendsKey(selfId),
    queryFn: async ({ signal }): Promise<Friends> => {
      // The room is being rendered at this moment.
      await untilIdle();
      return call(getFriends, {}, { signal });
    },
    staleTime: Number.POSITIVE_INFINITY,
    select: ({ friends }) => friends.some((friend) => friend.userId === userId),
  });
  if (!isFriend) return null;
  return (
    <span title={t('tile.friend')} className="shrink-0 text-lamp-ink">
      <UserCheck size={13} aria-hidden="true" />
      <span className="sr-only">({t('tile.friend')})</span>
    </span>
  );
}
