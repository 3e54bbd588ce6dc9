import { UserId } from '@mogakgong/contract';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { Route, Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { startFakeApi } from '../../../testing/fake-api.ts';
import { LEARNER } from '../../../testing/log-in.ts';
import { takeOwnCard } from '../../shared/api/profile.ts';
import { queryClient } from '../../shared/api/query.ts';
import { prefetchMenus } from '../../shared/ui/menu.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { HeaderAccount } from './header-account.tsx';
import { LoginLink } from './login-link.tsx';
import { RequireLogin } from './require-login.tsx';
import { SESSION_KEY, startSession, useSession } from './session.ts';

beforeAll(prefetchMenus);

let stop = () => {};
beforeEach(() => {
  queryClient.clear();
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  useSession.setState({ isLoggedIn: false, token: null, user: null });
  localStorage.clear();
  stop = startSession();
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

function logInAs(nickname: string): void {
  localStorage.setItem('mogakgong.token', 't');
  useSession.setState({ isLoggedIn: true, token: 't', user: { ...LEARNER, nickname } });
}

function show(path: string) {
  const location = memoryLocation({ path, record: true });
  render(
    <Router hook={location.hook} searchHook={location.searchHook}>
      <HeaderAccount />
      <Route path={path}>
        <RequireLogin>방 안</RequireLogin>
      </Route>
    </Router>,
  );
  return location;
}

test('a logged-out visitor is sent to log in, with the reason, and comes back after log-in', () => {
  const { history } = show('/studyroom/5');
  expect(screen.queryByText('방 안')).toBeNull();
  expect(history.at(-1)).toBe('/login?next=%2Fstudyroom%2F5');
  expect(notify.state().toasts.map((toast) => toast.text)).toContain('로그인이 필요해요.');
});

test.each([
  ['/invite', '/login?next=%2Finvite'],
  ['/friends/link', '/login?next=%2Ffriends%2Flink'],
  ['/join?next=%2Fstatistics', '/login?next=%2Fstatistics'],
  ['/', '/login'],
  ['/terms', '/login'],
])('log-in in the header of %s leads to %s', (path, href) => {
  const location = memoryLocation({ path });
  render(
    <Router hook={location.hook} searchHook={location.searchHook}>
      <LoginLink />
    </Router>,
  );
  expect(screen.getByRole('link', { name: '로그인' }).getAttribute('href')).toBe(href);
});

test('a logged-in learner sees the page, their name and a menu of working entries', () => {
  logInAs('김모각');
  show('/main');
  expect(screen.getByText('방 안')).toBeTruthy();
  expect(screen.getByText('환영해요')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: '김모각 님의 메뉴' }));
  const entries = screen.getAllByRole('menuitem').map((item) => item.textContent);
  expect(entries).toEqual(['마이페이지', '통계', '친구', '설정', '고객센터', '로그아웃']);
  fireEvent.pointerDown(document.body);
  expect(screen.queryByRole('menu')).toBeNull();
});

test('the name in the header, and the one that is kept, follow the profile', async () => {
  logInAs('김모각');
  startFakeApi({
    '/api/user/profile': {
      userId: LEARNER.userId,
      email: LEARNER.email,
      nickname: '새 이름',
      introduction: '',
      profileImage: 'default.jpg',
      hasPassword: true,
      role: 'member',
      selectedTitle: { key: 'no-title', name: '', icon: '' },
      hasWonTitle: false,
    },
  });
  show('/main');
  expect(await screen.findByRole('button', { name: '새 이름 님의 메뉴' })).toBeTruthy();
  expect(localStorage.getItem(SESSION_KEY)).toContain('새 이름');
  // This browser's room reports a change made on another device.
  const card = { nickname: '다른 기기의 이름', profileImage: 'default.jpg' };
  act(() => takeOwnCard(UserId.parse(LEARNER.userId), card));
  expect(await screen.findByRole('button', { name: '다른 기기의 이름 님의 메뉴' })).toBeTruthy();
});

test('a friend request is marked on the menu and on its entry', async () => {
  logInAs('김모각');
  startFakeApi({
    '/api/user/profile': {
      userId: LEARNER.userId,
      email: LEARNER.email,
      nickname: '김모각',
      introduction: '',
      profileImage: 'default.jpg',
      hasPassword: true,
      role: 'member',
      selectedTitle: { key: 'no-title', name: '', icon: '' },
      hasFriendRequest: true,
    },
  });
  show('/main');
  fireEvent.click(await screen.findByRole('button', { name: '김모각 님의 메뉴, 새 친구 요청' }));
  const entry = screen.getByRole('menuitem', { name: '친구 새 친구 요청' });
  fireEvent.click(entry);
  expect(screen.queryByRole('menu')).toBeNull();
});

test('log-out clears the state, says so and goes to /login without a return path', () => {
  logInAs('김모각');
  const { history } = show('/studyroom/5');
  fireEvent.click(screen.getByRole('button', { name: '김모각 님의 메뉴' }));
  fireEvent.click(screen.getByRole('menuitem', { name: '로그아웃' }));
  expect(useSession.getState()).toEqual({ isLoggedIn: false, token: null, user: null });
  expect(history.at(-1)).toBe('/login');
  expect(notify.state().toasts.map((toast) => toast.text)).toContain('로그아웃했어요.');
});
