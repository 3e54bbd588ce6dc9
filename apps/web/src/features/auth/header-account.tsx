import {
  ChartNoAxesColumn,
  CircleHelp,
  Languages,
  LogOut,
  Settings,
  ShieldCheck,
  UserRound,
} from 'lucide-react';
import CalendarDays from 'lucide-react/icons/calendar-days';
import Target from 'lucide-react/icons/target';
import UsersRound from 'lucide-react/icons/users-round';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { type Profile, useProfile } from '../../shared/api/profile.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { chooseTheme, currentTheme, onThemeChange, themes } from '../../shared/lib/theme.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Menu } from '../../shared/ui/menu.tsx';
import type { MenuEntry } from '../../shared/ui/menu-list.tsx';
import { NewsDot } from '../../shared/ui/news-dot.tsx';
import { switchLanguage } from '../../shared/ui/switch-language.ts';
import { themeIcons } from '../../shared/ui/theme-icons.ts';
import { useMedia } from '../../shared/ui/use-media.ts';
import { useOwnUserId } from './own-user-id.ts';
import { rememberProfile, useSession } from './session.ts';
import { useLogOut } from './use-log-out.ts';

const ICONS = {
  myPage: UserRound,
  statistics: ChartNoAxesColumn,
  plan: Target,
  groups: CalendarDays,
  friends: UsersRound,
  settings: Settings,
  moderation: ShieldCheck,
  support: CircleHelp,
} as const;

interface HeaderAccountProps {
  /** The learner's representative title with its icon, before their nickname. */
  readonly title?: ReactNode;
  /** Further content beside the name: today's focus time. */
  readonly aside?: ReactNode;
}

/** The logged-in learner and their menu: the end of the header (specification §2, §6). */
export function HeaderAccount({ title, aside }: HeaderAccountProps) {
  const { t } = useTranslation();
  const user = useSession((session) => session.user);
  const profile = useProfile(useOwnUserId());
  const isNarrow = useMedia('(width < 40rem)');
  const news = isNarrow && profile?.hasFriendRequest ? t('account.friendNews') : undefined;
  const entries = useMenuEntries(profile, isNarrow, news);
  useEffect(() => {
    if (profile !== null) rememberProfile(profile);
  }, [profile]);
  if (user === null) return null;
  const menuLabel = t('account.menu', { name: user.nickname });
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

/** The entries of the menu (specification §2), with those that a narrow header has no room for. */
function useMenuEntries(profile: Profile | null, isNarrow: boolean, news: string | undefined) {
  const { t, language } = useTranslation();
  const logOut = useLogOut();
  const theme = useSyncExternalStore(onThemeChange, currentTheme);
  const other = language === 'ko' ? 'en' : 'ko';
  const link = (
    key:
      | 'myPage'
      | 'statistics'
      | 'plan'
      | 'groups'
      | 'friends'
      | 'settings'
      | 'moderation'
      | 'support',
  ) => ({
    key,
    label: t(`account.${key}`),
    icon: ICONS[key],
    href: paths[key],
  });
  const isModerator = profile !== null && profile.role !== 'member';
  const entries: MenuEntry[] = [
    link('myPage'),
    link('statistics'),
    link('plan'),
    link('groups'),
    ...(isNarrow ? [{ ...link('friends'), news }] : []),
    link('settings'),
    ...(isModerator ? [link('moderation')] : []),
    link('support'),
    {
      key: 'theme',
      label: t(`header.theme.${theme}`),
      icon: themeIcons[theme],
      more: themes
        .filter((name) => name !== theme)
        .map((name) => ({
          key: name,
          label: t(`header.theme.${name}`),
          icon: themeIcons[name],
          onSelect: () => chooseTheme(name),
        })),
    },
    {
      key: 'language',
      label: t('account.language'),
      lang: other,
      icon: Languages,
      onSelect: () => switchLanguage(other),
    },
    { key: 'logout', label: t('account.logOut'), icon: LogOut, onSelect: logOut },
  ];
  return entries;
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
