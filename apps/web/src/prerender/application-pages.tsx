import type { ReactNode } from 'react';
import { PageLoading } from '../app/page-loading.tsx';
import { LoginPage } from '../pages/login/login-page.tsx';
import type { Language } from '../shared/i18n/language.ts';
import { devPaths, paths } from '../shared/lib/paths.ts';
import { allTexts, prerenderedPages } from './prerendered-pages.tsx';

/** Logged-in learners are redirected from pages for visitors. */
type Audience = 'all' | 'logged-out';

interface ApplicationPage {
  /** In wouter's notation. */
  readonly path: string;
  /** Prefix of its file names. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Its code and texts, which are downloaded with the application. */
  readonly modules: readonly string[];
  readonly audience: Audience;
  /** Shown until the application runs. */
  readonly content: ReactNode;
  /** Whether search engines may list it. */
  readonly isListed: boolean;
}

/** A page's code, and its texts beside the common ones. */
type Source = readonly [module: string, ...texts: string[]];

/** Pages for everybody: complete titles and descriptions, which search engines may list. */
const openSources: Readonly<Record<string, Source>> = {
  login: ['login/login-page.tsx'],
  emailLogin: ['email-login/email-login-page.tsx'],
  join: ['join/join-page.tsx'],
  passwordReset: ['password-reset/password-reset-page.tsx', 'account'],
  support: ['support/support-page.tsx', 'account'],
  diagnostics: ['diagnostics/diagnostics-page.tsx', 'account'],
};
const FOR_LOGGED_OUT = new Set(['login', 'emailLogin', 'join']);

/** Frequently opened pages of learners. */
const learnerSources: Readonly<Record<string, Source>> = {
  main: ['main/main-page.tsx', 'study'],
  studyRoom: ['study-room/study-room-page.tsx', 'room'],
  myPage: ['mypage/my-page.tsx', 'account'],
  statistics: ['statistics/statistics-page.tsx', 'statistics', 'study'],
  plan: ['plan/plan-page.tsx', 'plan', 'room'],
  settings: ['settings/settings-page.tsx', 'account'],
  settingsSection: ['settings/settings-page.tsx', 'account'],
  friends: ['friends/friends-pages.ts', 'friends'],
  groups: ['groups/groups-pages.ts', 'groups'],
  group: ['groups/groups-pages.ts', 'groups'],
};
const HEADER_MODULE = 'src/app/learner-account.tsx';
/** Code of a seated learner's room beside its page; the media library comes after it (media-connection.ts). */
const ROOM_MODULES = ['src/room/live/room-live.ts', 'src/room/learner-room.tsx'];

/**
 * The prerendered pages of the application: `/login` with its content, whose controls are disabled until the
 * application replaces it; of the others only header and footer, until their reader is known.
 */
export function applicationPages(language: Language): readonly ApplicationPage[] {
  const prerendered: readonly unknown[] = prerenderedPages(language).map(({ path }) => path);
  return Object.entries({ ...paths, ...devPaths })
    .filter(([, path]) => !prerendered.includes(path))
    .map(([name, path]) => ({ ...applicationPage(name, language), name, path }));
}

function applicationPage(name: string, language: Language) {
  const { common, landing, descriptions } = allTexts[language];
  const title = titlesOf(language)[name];
  const description: string | undefined = (descriptions as Record<string, string>)[name];
  const open = openSources[name];
  const ofLearners = learnerSources[name];
  const files = filesOf(open ?? ofLearners, language);
  return {
    title: title ? `${title} · ${common['brand.name']}` : common['brand.name'],
    description: description ?? landing['meta.description'],
    modules: [
      ...(ofLearners ? [HEADER_MODULE] : []),
      ...files,
      ...(name === 'studyRoom' ? ROOM_MODULES : []),
    ],
    audience: FOR_LOGGED_OUT.has(name) ? 'logged-out' : 'all',
    content: name === 'login' ? <LoginPage /> : <PageLoading />,
    isListed: open !== undefined,
  } as const;
}

function filesOf(source: Source | undefined, language: Language): readonly string[] {
  if (!source) return [];
  const [module, ...texts] = source;
  return [
    `src/pages/${module}`,
    ...texts.map((name) => `src/shared/i18n/${name}.${language}.json`),
  ];
}

function titlesOf(language: Language): Readonly<Record<string, string>> {
  const { common, account } = allTexts[language];
  return {
    login: common['login.title'],
    emailLogin: common['emailLogin.title'],
    join: common['join.title'],
    passwordReset: account['reset.title'],
    support: common['account.support'],
    diagnostics: account['diagnostics.page.title'],
  };
}
