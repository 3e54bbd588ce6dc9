import type { ComponentType } from 'react';
import { Route, Switch } from 'wouter';
import { RequireLogin } from '../features/auth/require-login.tsx';
import { useRestriction } from '../features/auth/session.ts';
import { devPaths, paths } from '../shared/lib/paths.ts';
import { onDemand } from '../shared/ui/on-demand.tsx';
import { PageLoading } from './page-loading.tsx';

/** Going back and forth, the browser restores where the page was scrolled to. */
let isRestored = true;
let shownPath = window.location.pathname;
window.addEventListener('popstate', () => {
  // So does a link within the page.
  if (window.location.pathname !== shownPath) isRestored = true;
});

/** Scrolls a new page to its top, or to the hash of the address. */
function scrollToStart(): void {
  if (!isRestored && window.location.hash === '') window.scrollTo(0, 0);
  isRestored = false;
  shownPath = window.location.pathname;
}

/** The page `name` of a module that is downloaded when it is first opened. */
function page<Name extends string>(
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
) {
  return onDemand<object>(async () => (await load())[name], {
    fallback: <PageLoading />,
    isPage: true,
    onShown: scrollToStart,
  });
}

/** /main has network and processor for itself this long before the room's code is downloaded. */
const PREFETCH_AFTER_MS = 3_000;

const StudyRoom = page(() => import('../pages/study-room/study-room-page.tsx'), 'StudyRoomPage');

/** One download after another, so that presses and frames come in between. */
async function prefetchRoom(): Promise<void> {
  await import('../room/live/room-live.ts');
  await StudyRoom.prefetch();
}

const Main = page(() => {
  // Pressing the button downloads again, and shows the error.
  setTimeout(() => void prefetchRoom().catch(() => undefined), PREFETCH_AFTER_MS);
  return import('../pages/main/main-page.tsx');
}, 'MainPage');
const NotFound = page(() => import('../pages/not-found/not-found-page.tsx'), 'NotFoundPage');
const groups = () => import('../pages/groups/groups-pages.ts');
const friends = () => import('../pages/friends/friends-pages.ts');
const legal = () => import('../pages/legal/legal-routes.tsx');
const socialLogin = () => import('../pages/social-login/social-login-pages.tsx');
const developer = () => import('../pages/developer/developer-pages.tsx');

/** Replaces every page for learners while their account is restricted. */
const RestrictedAccount = page(
  () => import('../pages/settings/restricted-account-page.tsx'),
  'RestrictedAccountPage',
);
const learnerPages = {
  [paths.main]: Main,
  [paths.studyRoom]: StudyRoom,
  [paths.myPage]: page(() => import('../pages/mypage/my-page.tsx'), 'MyPage'),
  [paths.statistics]: page(
    () => import('../pages/statistics/statistics-page.tsx'),
    'StatisticsPage',
  ),
  [paths.plan]: page(() => import('../pages/plan/plan-page.tsx'), 'PlanPage'),
  [paths.friends]: page(friends, 'FriendsPage'),
  [paths.groups]: page(groups, 'GroupsPage'),
  [paths.group]: page(groups, 'GroupPage'),
  [`${paths.settings}/:section?`]: page(
    () => import('../pages/settings/settings-page.tsx'),
    'SettingsPage',
  ),
  [paths.moderation]: page(
    () => import('../pages/moderation/moderation-page.tsx'),
    'ModerationPage',
  ),
};
const openPages = {
  [paths.login]: page(() => import('../pages/login/login-page.tsx'), 'LoginPage'),
  [paths.emailLogin]: page(
    () => import('../pages/email-login/email-login-page.tsx'),
    'EmailLoginPage',
  ),
  [paths.secondFactor]: page(
    () => import('../pages/second-factor/second-factor-page.tsx'),
    'SecondFactorPage',
  ),
  [paths.join]: page(() => import('../pages/join/join-page.tsx'), 'JoinPage'),
  [paths.passwordReset]: page(
    () => import('../pages/password-reset/password-reset-page.tsx'),
    'PasswordResetPage',
  ),
  [paths.emailChange]: page(
    () => import('../pages/email-change/email-change-page.tsx'),
    'EmailChangePage',
  ),
  [paths.googleCallback]: page(socialLogin, 'SocialCallbackPage'),
  [paths.kakaoCallback]: page(socialLogin, 'SocialCallbackPage'),
  [paths.naverCallback]: page(socialLogin, 'SocialCallbackPage'),
  [paths.authSuccess]: page(socialLogin, 'AuthSuccessPage'),
  [paths.authFailure]: page(socialLogin, 'AuthFailurePage'),
  [paths.extraInfo]: page(socialLogin, 'ExtraInfoPage'),
  [paths.landing]: page(() => import('../pages/landing/landing-route.tsx'), 'LandingRoute'),
  [paths.invitation]: page(
    () => import('../pages/invitation/invitation-page.tsx'),
    'InvitationPage',
  ),
  [paths.friendLink]: page(friends, 'FriendLinkPage'),
  [paths.groupLink]: page(groups, 'GroupLinkPage'),
  [paths.support]: page(() => import('../pages/support/support-page.tsx'), 'SupportPage'),
  [paths.diagnostics]: page(
    () => import('../pages/diagnostics/diagnostics-page.tsx'),
    'DiagnosticsPage',
  ),
  [paths.terms]: page(legal, 'TermsRoute'),
  [paths.privacy]: page(legal, 'PrivacyRoute'),
  [devPaths.testPage]: page(developer, 'TestPage'),
  [devPaths.messageTest]: page(developer, 'MessageTestPage'),
  [devPaths.blockTest]: page(developer, 'BlockTestPage'),
  [devPaths.apiStatus]: page(developer, 'ApiStatusPage'),
};

export function Pages() {
  const isRestricted = useRestriction() !== null;
  return (
    <Switch>
      {/* First: the link to a group is none of the addresses of groups. */}
      {Object.entries(openPages).map(([path, OpenPage]) => (
        <Route key={path} path={path}>
          <OpenPage />
        </Route>
      ))}
      {Object.entries(learnerPages).map(([path, LearnerPage]) => (
        <Route key={path} path={path}>
          <RequireLogin>{isRestricted ? <RestrictedAccount /> : <LearnerPage />}</RequireLogin>
        </Route>
      ))}
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
