import {
  ChartNoAxesColumn,
  CircleHelp,
  LogOut,
  Settings,
  ShieldCheck,
  UserRound,
} from 'lucide-react';
import UsersRound from 'lucide-react/icons/users-round';
import { type ReactNode, useEffect } from 'react';
import { useProfile } from '../../shared/api/profile.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Menu } from '../../shared/ui/menu.tsx';
import type { MenuEntry } from '../../shared/ui/menu-list.tsx';
import { NewsDot } from '../../shared/ui/news-dot.tsx';
import { useOwnUserId } from './own-user-id.ts';
import { rememberProfile, useSession } from './session.ts';
import { useLogOut } from './use-log-out.ts';

interface HeaderAccountProps {
  /** The learner's representative title with its icon, before their nickname. */
  readonly title?: ReactNode;
  /** Further content beside the name: today's focus time. */
  readonly aside?: ReactNode;
}

/** The logged-in learner and their menu: the end of the header (specification §2, §6). */
export function HeaderAccount({ title, aside }: HeaderAccountProps) {
  const { t } = useTranslation();
  const logOut = useLogOut();
  const user = useSession((session) => session.user);
  const profile = useProfile(useOwnUserId());
  useEffect(() => {
    if (profile !== null) rememberProfile(profile);
  }, [profile]);
  if (user === null) return null;
  const news = profile?.hasFriendRequest ? t('account.friendNews') : undefined;
  const menuLabel = t('account.menu', { name: user.nickname });
  const entries: MenuEntry[] = [
    { key: 'mypage', label: t('account.myPage'), icon: UserRound, href: paths.myPage },
    {
      key: 'statistics',
      label: t('account.statistics'),
      icon: ChartNoAxesColumn,
      href: paths.statistics,
    },
    {
      key: 'friends',
      label: t('account.friends'),
      icon: UsersRound,
      href: paths.friends,
      news,
    },
    { key: 'settings', label: t('account.settings'), icon: Settings, href: paths.settings },
    ...(profile !== null && profile.role !== 'member'
      ? [
          {
            key: 'moderation',
            label: t('account.moderation'),
            icon: ShieldCheck,
            href: paths.moderation,
          },
        ]
      : []),
    { key: 'support', label: t('account.support'), icon: CircleHelp, href: paths.support },
    { key: 'logout', label: t('account.logOut'), icon: LogOut, onSelect: logOut },
  ];
  return (
    <div className="flex min-w-0 items-center gap-2.5 md:gap-4">
      {aside}
      <div className="min-w-0 text-right text-small leading-tight max-md:sr-only">
        <p className="text-caption text-ink-soft">{t('account.welcome')}</p>
        {/* The name has priority: a title shrinks first, and a prompt for a title is hidden. Both are also in
            the menu. */}
        <p className="flex max-w-64 items-center justify-end gap-1.5 font-semibold max-lg:[&_[data-title=no-title]]:hidden lg:max-w-none">
          {title}
          <span title={user.nickname} className="max-w-full shrink-0 truncate">
            {user.nickname}
          </span>
        </p>
      </div>
      <Menu
        label={news === undefined ? menuLabel : `${menuLabel}, ${news}`}
        trigger={
          <span className="relative">
            <Avatar name={user.nickname} image={user.profileImageUrl} />
            {news !== undefined && <NewsDot className="absolute top-0 -right-px" />}
          </span>
        }
        head={<Greeting nickname={user.nickname} title={title} />}
        entries={entries}
      />
    </div>
  );
}

/** On narrow windows the header has no room for it, so it is shown in the menu. */
function Greeting({ nickname, title }: { readonly nickname: string; readonly title: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div className="mb-1 grid max-w-72 gap-0.5 border-line border-b px-3 pt-1.5 pb-2.5 text-small leading-snug lg:hidden">
      <p className="text-caption text-ink-soft">{t('account.welcome')}</p>
      <p className="truncate font-semibold">{nickname}</p>
      {title}
    </div>
  );
}
