import { type FunctionComponent, lazy } from 'react';
import { Route, Switch } from 'wouter';
import { RequireLogin } from '../features/auth/require-login.tsx';
import { paths } from '../shared/lib/paths.ts';

/** A page that is downloaded when it is first opened. */
function page<Name extends string>(
  load: () => Promise<Record<Name, FunctionComponent>>,
  name: Name,
) {
  return lazy(async () => ({ default: (await load())[name] as FunctionComponent }));
}

const LandingPage = page(() => import('../pages/landing/landing-route.tsx'), 'LandingRoute');
const TermsPage = page(() => import('../pages/legal/legal-routes.tsx'), 'TermsRoute');
const PrivacyPage = page(() => import('../pages/legal/legal-routes.tsx'), 'PrivacyRoute');

/** How long /main has the network for itself before the study room is downloaded behind it. */
const PREFETCH_AFTER_MS = 1_000;

const loadStudyRoom = () => import('../pages/study-room/study-room-page.tsx');
const loadMain = () => {
  setTimeout(() => void loadStudyRoom().catch(() => undefined), PREFETCH_AFTER_MS);
  return import('../pages/main/main-page.tsx');
};

const LoginPage = page(() => import('../pages/login/login-page.tsx'), 'LoginPage');
const EmailLoginPage = page(
  () => import('../pages/email-login/email-login-page.tsx'),
  'EmailLoginPage',
);
const JoinPage = page(() => import('../pages/join/join-page.tsx'), 'JoinPage');
const MainPage = page(loadMain, 'MainPage');
const StudyRoomPage = page(loadStudyRoom, 'StudyRoomPage');
const NotFoundPage = page(() => import('../pages/not-found/not-found-page.tsx'), 'NotFoundPage');

/** Every page by its path. */
export function Pages() {
  return (
    <Switch>
      <Route path={paths.login} component={LoginPage} />
      <Route path={paths.emailLogin} component={EmailLoginPage} />
      <Route path={paths.join} component={JoinPage} />
      <Route path={paths.main}>
        <RequireLogin>
          <MainPage />
        </RequireLogin>
      </Route>
      <Route path={paths.studyRoom}>
        <RequireLogin>
          <StudyRoomPage />
        </RequireLogin>
      </Route>
      <Route path={paths.landing} component={LandingPage} />
      <Route path={paths.terms} component={TermsPage} />
      <Route path={paths.privacy} component={PrivacyPage} />
      <Route component={NotFoundPage} />
    </Switch>
  );
}
