import { useSession } from '../src/features/auth/session.ts';
import { useTodayStore } from '../src/shared/today/today.ts';

/** The learner of tests. */
export const LEARNER = {
  userId: 1,
  uid: 'kim',
  email: 'kim@example.com',
  nickname: '김모각',
  profileImageUrl: 'default.jpg',
  title: null,
};

/** Logs a learner in of whose day this tab knows nothing yet. */
export function logIn(): void {
  useTodayStore.setState({ userId: null });
  useSession.setState({ isLoggedIn: true, token: 't', user: LEARNER });
}
