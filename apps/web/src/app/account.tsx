import { LoginLink } from '../features/auth/login-link.tsx';
import { useSession } from '../features/auth/session.ts';
import { onDemand } from '../shared/ui/on-demand.tsx';

/** Who is logged out does not download what the header shows of who is logged in. */
const LearnerAccount = onDemand(
  async () => (await import('./learner-account.tsx')).LearnerAccount,
  { fallback: <span className="size-11" />, isQuiet: true },
);

/** The end of the header: the way to log in, or who is logged in. */
export function Account() {
  const isLoggedIn = useSession((session) => session.isLoggedIn && session.user !== null);
  if (!isLoggedIn) return <LoginLink />;
  return <LearnerAccount />;
}
