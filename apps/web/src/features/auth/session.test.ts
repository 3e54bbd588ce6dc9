import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { profileOf } from '../../../testing/log-in.ts';
import { readAccessToken, storeAccessToken } from '../../shared/api/index.ts';
import { storageKeys } from '../../shared/lib/storage-keys.ts';
import {
  logInWithEmail,
  logInWithToken,
  logOut,
  SESSION_KEY,
  startSession,
  userIdOfToken,
  useSession,
} from './session.ts';

function tokenWith(claims: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(claims));
  const base64 = btoa(String.fromCharCode(...bytes));
  return `h.${base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}.s`;
}

const token = tokenWith({ userId: 42, name: '한글' });
const profile = profileOf({ userId: 42 });

function serve(answers: Record<string, () => Response>): void {
  vi.stubGlobal('fetch', async (address: string) => {
    const answer = answers[address];
    if (answer === undefined) throw new TypeError('Failed to fetch');
    return answer();
  });
}

let stop = () => {};
beforeEach(() => {
  useSession.setState({ isLoggedIn: false, token: null, user: null });
  localStorage.clear();
  stop = startSession();
});
afterEach(() => stop());

const credentials = { email: 'kim@example.com', password: 'p' };

test('log-in keeps the auth state and the token under their own keys (specification §4)', async () => {
  serve({
    '/api/auth/login': () => Response.json({ token }),
    '/api/user/profile': () => Response.json(profile),
  });
  await logInWithEmail(credentials, 'failed');
  expect(useSession.getState()).toMatchObject({
    isLoggedIn: true,
    user: { userId: 42, uid: 'kim', nickname: '김모각', profileImageUrl: 'default.jpg' },
  });
  expect(localStorage.getItem(storageKeys.token)).toBe(token);
  const stored: unknown = JSON.parse(localStorage.getItem(SESSION_KEY) ?? '');
  expect(stored).toMatchObject({
    state: { isLoggedIn: true, token, user: { email: 'kim@example.com' } },
  });
});

test('a failed profile falls back to the e-mail prefix and the default picture (specification §8)', async () => {
  serve({ '/api/auth/login': () => Response.json({ token }) });
  await logInWithEmail(credentials, 'failed');
  expect(useSession.getState().user).toEqual({
    userId: 42,
    uid: 'kim',
    email: 'kim@example.com',
    nickname: 'kim',
    profileImageUrl: 'default.jpg',
    title: null,
  });
});

test('a log-in without a typed address has uid and title from the profile (specification §3)', async () => {
  const selectedTitle = { key: 'first-day', name: '나만의 책상', icon: 'desk' };
  serve({ '/api/user/profile': () => Response.json({ ...profile, selectedTitle }) });
  await logInWithToken(token);
  expect(useSession.getState().user).toMatchObject({ uid: 'kim', title: selectedTitle });
});

test('a profile of the specification’s three fields is enough (specification §7)', async () => {
  const { email, nickname, profileImage } = profile;
  serve({ '/api/user/profile': () => Response.json({ email, nickname, profileImage }) });
  await logInWithToken(token);
  expect(useSession.getState().user).toEqual({
    userId: 42,
    uid: 'kim',
    email,
    nickname,
    profileImageUrl: profileImage,
    title: { key: 'no-title', name: '', icon: '' },
  });
});

test('a refused log-in changes nothing and gives the reason', async () => {
  serve({ '/api/auth/login': () => Response.json({}, { status: 403 }) });
  await expect(logInWithEmail(credentials, '로그인에 실패했습니다.')).rejects.toThrow(
    '로그인에 실패했습니다.',
  );
  expect(useSession.getState().isLoggedIn).toBe(false);
});

test('log-out clears everything even when the server is unreachable', async () => {
  serve({ '/api/auth/login': () => Response.json({ token }) });
  await logInWithEmail(credentials, 'failed');
  logOut();
  expect(useSession.getState()).toEqual({ isLoggedIn: false, token: null, user: null });
  expect(readAccessToken()).toBeNull();
});

test('the start of the page applies the token of the auth state again (specification §4)', () => {
  stop();
  useSession.setState({ isLoggedIn: true, token, user: null });
  localStorage.removeItem(storageKeys.token);
  stop = startSession();
  expect(readAccessToken()).toBe(token);
});

test('a replaced token is kept in the auth state too', () => {
  useSession.setState({ isLoggedIn: true, token, user: null });
  storeAccessToken('newer');
  expect(useSession.getState()).toMatchObject({ isLoggedIn: true, token: 'newer' });
});

test('log-out in another tab logs this one out', () => {
  useSession.setState({ isLoggedIn: true, token, user: null });
  localStorage.removeItem(storageKeys.token);
  window.dispatchEvent(new StorageEvent('storage', { key: storageKeys.token, newValue: null }));
  expect(useSession.getState().isLoggedIn).toBe(false);
});

test('log-in in another tab logs this one in', async () => {
  const state = { isLoggedIn: true, token, user: { userId: 42, nickname: '김모각' } };
  localStorage.setItem(SESSION_KEY, JSON.stringify({ state, version: 1 }));
  window.dispatchEvent(new StorageEvent('storage', { key: SESSION_KEY, newValue: 'x' }));
  await vi.waitFor(() => expect(useSession.getState().isLoggedIn).toBe(true));
});

test.each([
  [tokenWith({ userId: 42 }), 42],
  [tokenWith({ userId: '42' }), 0],
  [tokenWith({ userId: -1 }), 0],
  [tokenWith({ id: 43 }), 43],
  [tokenWith({ userId: 42, id: 43 }), 42],
  [tokenWith({}), 0],
  ['nonsense', 0],
])('the user id of %s is %d (specification §8)', (text, userId) => {
  expect(userIdOfToken(text)).toBe(userId);
});
