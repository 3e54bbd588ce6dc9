import type { FriendCard } from '@mogakgong/contract';
import type { ReactNode } from 'react';
import { Avatar } from '../../shared/ui/avatar.tsx';

const AVATAR_PX = 40;

interface FriendRowProps {
  readonly person: FriendCard;
  /** What can be done about them. */
  readonly children: ReactNode;
}

/** Somebody in a list of friends or requests. */
export function FriendRow({ person, children }: FriendRowProps) {
  return (
    <li className="flex min-h-14 items-center gap-3 py-1.5">
      <Avatar name={person.nickname} image={person.profileImage} size={AVATAR_PX} />
      <p className="min-w-0 flex-1 truncate font-semibold">{person.nickname}</p>
      <div className="flex shrink-0 items-center gap-2">{children}</div>
    </li>
  );
}
