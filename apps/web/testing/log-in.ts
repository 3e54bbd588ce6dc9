import { useSession } from '../src/features/auth/session.ts';
import { queryClient } from '../src/shared/api/query.ts';

/** The learner of tests. */
export const LEARNER = {
  userId: 1,
  uid: 'kim',
  email: 'kim@example.com',
  nickname: '김모각',
  profileImageUrl: 'default.jpg',
  title: null,
};

/** Logs in a learner without any data in this tab. */
export function logIn(): void {
  queryClient.clear();
  useSession.setState({ isLoggedIn: true, token: 't', user: LEARNER });
}
