import type { ReactNode } from 'react';
import { PageLoading } from '../app/page-loading.tsx';
import { DiagnosticsPage } from '../pages/diagnostics/diagnostics-page.tsx';
import { EmailLoginPage } from '../pages/email-login/email-login-page.tsx';
import { JoinPage } from '../pages/join/join-page.tsx';
import { LoginPage } from '../pages/login/login-page.tsx';
import { PasswordResetPage } from '../pages/password-reset/password-reset-page.tsx';
import { SupportPage } from '../pages/support/support-page.tsx';
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
  /** Its code, which is downloaded with the application. */
  readonly modules: readonly string[];
  readonly audience: Audience;
  /** Shown until the application runs. */
  readonly content: ReactNode;
  /** Whether search engines may list it. */
  readonly isListed: boolean;
}

/** The code of frequently opened learners' pages, beside that of their header. */
const learnerModules: Readonly<Record<string, string>> = {
  main: 'src/pages/main/main-page.tsx',
  studyRoom: 'src/pages/study-room/study-room-page.tsx',
  myPage: 'src/pages/mypage/my-page.tsx',
  statistics: 'src/pages/statistics/statistics-page.tsx',
  settings: 'src/pages/settings/settings-page.tsx',
  friends: 'src/pages/friends/friends-pages.ts',
};
const HEADER_MODULE = 'src/app/learner-account.tsx';

/**
 * The prerendered pages of the application: public ones complete, with every control disabled until the
 * application replaces them; of the others only header and footer.
 */
export function applicationPages(language: Language): readonly ApplicationPage[] {
  const open = openPages(language);
  const prerendered: readonly unknown[] = prerenderedPages(language).map(({ path }) => path);
  const others = Object.entries({ ...paths, ...devPaths })
    .filter(([name, path]) => !(name in open) && !prerendered.includes(path))
    .map(([name, path]) => ({ ...closedPage(language, name), path }));
  return [...Object.entries(open).map(([name, page]) => ({ ...page, name })), ...others];
}

/** Shows no content before the viewer is known. */
function closedPage(language: Language, name: string) {
  const { app, landing } = allTexts[language];
  const module = learnerModules[name];
  return {
    name,
    title: app['brand.name'],
    description: landing['meta.description'],
    modules: module === undefined ? [] : [HEADER_MODULE, module],
    audience: 'all',
    content: <PageLoading />,
    isListed: false,
  } as const;
}

function openPages(language: Language) {
  const { app, account, descriptions, diagnostics } = allTexts[language];
  const page = (
    name: keyof typeof descriptions,
    title: string,
    module: string,
    content: ReactNode,
    audience: Audience = 'all',
  ) => ({
    path: paths[name],
    title: `${title} · ${app['brand.name']}`,
    description: descriptions[name],
    modules: [`src/pages/${module}`],
    content,
    audience,
    isListed: true,
  });
  return {
    login: page('login', app['login.title'], 'login/login-page.tsx', <LoginPage />, 'logged-out'),
    emailLogin: page(
      'emailLogin',
      app['emailLogin.title'],
      'email-login/email-login-page.tsx',
      <EmailLoginPage />,
      'logged-out',
    ),
    join: page('join', app['join.title'], 'join/join-page.tsx', <JoinPage />, 'logged-out'),
    passwordReset: page(
      'passwordReset',
      account['reset.title'],
      'password-reset/password-reset-page.tsx',
      <PasswordResetPage />,
    ),
    support: page('support', app['account.support'], 'support/support-page.tsx', <SupportPage />),
    diagnostics: page(
      'diagnostics',
      diagnostics['page.title'],
      'diagnostics/diagnostics-page.tsx',
      <DiagnosticsPage />,
    ),
  };
}
