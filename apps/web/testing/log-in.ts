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

/** The learner's profile, as the API answers it, with changes. */
export const profileOf = (changes: object = {}) => ({
  userId: LEARNER.userId,
  email: LEARNER.email,
  nickname: LEARNER.nickname,
  introduction: '',
  profileImage: 'default.jpg',
  hasPassword: true,
  role: 'member' as const,
  selectedTitle: { key: 'no-title', name: '', icon: '' },
  hasWonTitle: false,
  ...changes,
});

/** Logs in a learner without any data in this tab. */
export function logIn(): void {
  queryClient.clear();
  useSession.setState({ isLoggedIn: true, token: 't', user: LEARNER });
}
