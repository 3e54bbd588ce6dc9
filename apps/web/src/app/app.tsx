import { useSession } from '../features/auth/session.ts';
import { ErrorBoundary } from '../shared/ui/error-boundary.tsx';
import { Notices } from '../shared/ui/notices.tsx';
import { onDemand } from '../shared/ui/on-demand.tsx';
import { Layout } from './layout.tsx';
import { LearnerWindows } from './learner-windows.tsx';
import { Pages } from './router.tsx';
import { VisitorAccount } from './visitor-account.tsx';

/** A logged-out visitor downloads nothing of the signed-in header. */
const loadLearner = () => import('./learner-account.tsx');
const LearnerAccount = onDemand(async () => (await loadLearner()).LearnerAccount, {
  fallback: <span className="size-11" />,
  isQuiet: true,
});
const LearnerLinks = onDemand(async () => (await loadLearner()).LearnerLinks, { isQuiet: true });

/** The browser application: one layout around the page of the address, and the notices above it. */
export function App() {
  const isLoggedIn = useSession((session) => session.isLoggedIn && session.user !== null);
  return (
    <>
      <ErrorBoundary isPage>
        <Layout
          account={isLoggedIn ? <LearnerAccount /> : <VisitorAccount />}
          links={isLoggedIn && <LearnerLinks />}
        >
          <Pages />
        </Layout>
        {isLoggedIn && <LearnerWindows />}
      </ErrorBoundary>
      <Notices />
    </>
  );
}
