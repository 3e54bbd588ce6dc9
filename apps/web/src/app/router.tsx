import { Route, Switch } from 'wouter';
import { RequireLogin } from '../features/auth/require-login.tsx';
import { devPaths, paths } from '../shared/lib/paths.ts';
import { Page, pageSource } from './page.tsx';

const landing = pageSource(() => import('../pages/landing/landing-route.tsx'), 'LandingRoute');
const terms = pageSource(() => import('../pages/legal/legal-routes.tsx'), 'TermsRoute');
const privacy = pageSource(() => import('../pages/legal/legal-routes.tsx'), 'PrivacyRoute');

/** How long /main has the network for itself before the study room is downloaded behind it. */
const PREFETCH_AFTER_MS = 1_000;

const login = pageSource(() => import('../pages/login/login-page.tsx'), 'LoginPage');
const emailLogin = pageSource(
  () => import('../pages/email-login/email-login-page.tsx'),
  'EmailLoginPage',
);
const join = pageSource(() => import('../pages/join/join-page.tsx'), 'JoinPage');
const studyRoom = pageSource(
  () => import('../pages/study-room/study-room-page.tsx'),
  'StudyRoomPage',
);
const main = pageSource(() => {
  setTimeout(() => studyRoom.prefetch().catch(() => undefined), PREFETCH_AFTER_MS);
  return import('../pages/main/main-page.tsx');
}, 'MainPage');
const myPage = pageSource(() => import('../pages/mypage/my-page.tsx'), 'MyPage');
const statistics = pageSource(
  () => import('../pages/statistics/statistics-page.tsx'),
  'StatisticsPage',
);
const developer = () => import('../pages/developer/developer-pages.tsx');
const testPage = pageSource(developer, 'TestPage');
const messageTest = pageSource(developer, 'MessageTestPage');
const blockTest = pageSource(developer, 'BlockTestPage');
const apiStatus = pageSource(developer, 'ApiStatusPage');
const notFound = pageSource(() => import('../pages/not-found/not-found-page.tsx'), 'NotFoundPage');

/** Every page by its path. */
export function Pages() {
  return (
    <Switch>
      <Route path={paths.login}>
        <Page of={login} />
      </Route>
      <Route path={paths.emailLogin}>
        <Page of={emailLogin} />
      </Route>
      <Route path={paths.join}>
        <Page of={join} />
      </Route>
      <Route path={paths.main}>
        <RequireLogin>
          <Page of={main} />
        </RequireLogin>
      </Route>
      <Route path={paths.studyRoom}>
        <RequireLogin>
          <Page of={studyRoom} />
        </RequireLogin>
      </Route>
      <Route path={paths.myPage}>
        <RequireLogin>
          <Page of={myPage} />
        </RequireLogin>
      </Route>
      <Route path={paths.statistics}>
        <RequireLogin>
          <Page of={statistics} />
        </RequireLogin>
      </Route>
      <Route path={paths.landing}>
        <Page of={landing} />
      </Route>
      <Route path={paths.terms}>
        <Page of={terms} />
      </Route>
      <Route path={paths.privacy}>
        <Page of={privacy} />
      </Route>
      <Route path={devPaths.testPage}>
        <Page of={testPage} />
      </Route>
      <Route path={devPaths.messageTest}>
        <Page of={messageTest} />
      </Route>
      <Route path={devPaths.blockTest}>
        <Page of={blockTest} />
      </Route>
      <Route path={devPaths.apiStatus}>
        <Page of={apiStatus} />
      </Route>
      <Route>
        <Page of={notFound} />
      </Route>
    </Switch>
  );
}
