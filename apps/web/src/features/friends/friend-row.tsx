import type { FriendCard } from '@mogakgong/contract';
import type { ReactNode } from 'react';
import { Avatar } from '../../shared/ui/avatar.tsx';

const AVATAR_PX = 40;

interface FriendRowProps {
  readonly person: FriendCard;
  /** Below the name. */
  readonly note?: ReactNode;
  /** The actions on the person. */
  readonly children: ReactNode;
}

/** A person in a list of friends or requests, with the full name: actions apply to exactly that person. */
export function FriendRow({ person, note, children }: FriendRowProps) {
  return (
    // Buttons go below a long name; a menu alone stays beside it.
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 py-1.5 has-[div:only-child>[aria-haspopup]]:flex-nowrap">
      <div className="flex min-w-0 flex-auto items-center gap-3">
        <Avatar name={person.nickname} image={person.profileImage} size={AVATAR_PX} />
        <div className="min-w-0">
          <p className="wrap-anywhere min-w-0 text-balance font-semibold [word-break:normal]">
            {person.nickname}
          </p>
          {note}
        </div>
      </div>
      <div className="ml-auto flex items-center gap-2">{children}</div>
    </li>
  );
}
