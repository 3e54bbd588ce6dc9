import { RoomId, UserId } from '@mogakgong/contract';
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Route, Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { startFakeApi } from '../../../testing/fake-api.ts';
import { LEARNER, profileOf } from '../../../testing/log-in.ts';
import { render } from '../../../testing/render.tsx';
import { takeOwnCard } from '../../shared/api/profile.ts';
import { queryClient } from '../../shared/api/query.ts';
import { chooseLanguage } from '../../shared/i18n/texts.ts';
import { chooseTheme } from '../../shared/lib/theme.ts';
import { changeOwnClock } from '../../shared/today/today.ts';
import { notify } from '../../shared/ui/notify.ts';
import { HeaderAccount } from './header-account.tsx';
import { LoginLink } from './login-link.tsx';
import { RequireLogin } from './require-login.tsx';
import { SESSION_KEY, startSession, useSession } from './session.ts';

let stop = () => {};
beforeEach(() => {
  queryClient.clear();
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  useSession.setState({ isLoggedIn: false, token: null, user: null });
  localStorage.clear();
  stop = startSession();
});
afterEach(() => stop());

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

test.each(['/main', '/mypage', '/studyroom/5'])(
  'on %s a learner without a valid id is asked to log in again (specification §8)',
  (path) => {
    useSession.setState({ isLoggedIn: true, token: 't', user: { ...LEARNER, userId: 0 } });
    const { history } = show(path);
    expect(screen.queryByText('방 안')).toBeNull();
    expect(screen.getByRole('status').textContent).toBe(
      '로그인 정보를 확인할 수 없어요. 다시 로그인해 주세요.',
    );
    fireEvent.click(screen.getByRole('button', { name: '다시 로그인' }));
    expect(history.at(-1)).toMatch(/^\/login/u);
  },
);

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
  fireEvent.click(screen.getByRole('button', { name: '김모각 메뉴' }));
  const entries = screen.getAllByRole('menuitem').map((item) => item.textContent);
  expect(entries).toEqual([
    '마이페이지',
    '통계',
    '계획',
    '그룹',
    '설정',
    '고객센터',
    '테마: 기기와 같게',
    'View in English',
    '로그아웃',
  ]);
  fireEvent.pointerDown(document.body);
  expect(screen.queryByRole('menu')).toBeNull();
});

test('the name in the header, and the one that is kept, follow the profile', async () => {
  logInAs('김모각');
  startFakeApi({
    '/api/user/profile': profileOf({ nickname: '새 이름' }),
  });
  show('/main');
  expect(await screen.findByRole('button', { name: '새 이름 메뉴' })).toBeTruthy();
  expect(localStorage.getItem(SESSION_KEY)).toContain('새 이름');
  // This browser's room reports a change made on another device.
  const card = { nickname: '다른 기기의 이름', profileImage: 'default.jpg' };
  act(() => takeOwnCard(UserId.parse(LEARNER.userId), card));
  expect(await screen.findByRole('button', { name: '다른 기기의 이름 메뉴' })).toBeTruthy();
});

test('theme and language are chosen in the menu', async () => {
  logInAs('김모각');
  show('/main');
  const choose = (name: string) => fireEvent.click(screen.getByRole('menuitem', { name }));
  const openMenu = () => fireEvent.click(screen.getByRole('button', { name: '김모각 메뉴' }));
  openMenu();
  choose('테마: 기기와 같게');
  // The present one is not among those to choose.
  const names = screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
  expect(names).toEqual(['테마: 밝게', '테마: 어둡게']);
  choose('테마: 어둡게');
  expect(document.documentElement.dataset.theme).toBe('dark');
  openMenu();
  expect(screen.getByRole('menuitem', { name: '테마: 어둡게' })).toBeTruthy();
  const english = screen.getByRole('menuitem', { name: 'View in English' });
  expect(english.lang).toBe('en');
  fireEvent.click(english);
  expect(await screen.findByRole('button', { name: 'Menu of 김모각' })).toBeTruthy();
  await act(async () => {
    await chooseLanguage('ko');
    chooseTheme('system');
  });
});

test('in a narrow window a friend request is marked on the menu and on its entry', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) => Object.assign(new EventTarget(), { media, matches: true }) as MediaQueryList,
  );
  logInAs('김모각');
  startFakeApi({
    '/api/user/profile': profileOf({ hasFriendRequest: true }),
  });
  show('/main');
  fireEvent.click(await screen.findByRole('button', { name: '김모각 메뉴, 새 친구 요청' }));
  const entry = screen.getByRole('menuitem', { name: '친구 새 친구 요청' });
  fireEvent.click(entry);
  expect(screen.queryByRole('menu')).toBeNull();
});

test('log-out clears the state, says so and goes to /login without a return path', () => {
  logInAs('김모각');
  const { history } = show('/studyroom/5');
  fireEvent.click(screen.getByRole('button', { name: '김모각 메뉴' }));
  fireEvent.click(screen.getByRole('menuitem', { name: '로그아웃' }));
  expect(useSession.getState()).toEqual({ isLoggedIn: false, token: null, user: null });
  expect(history.at(-1)).toBe('/login');
  expect(notify.state().toasts.map((toast) => toast.text)).toContain('로그아웃했어요.');
});

test('a learner who focuses is asked before a log-out, which ends the visit', async () => {
  logInAs('김모각');
  const userId = UserId.parse(1);
  const clock = { status: 'focus', focusMs: 0, awayMs: 0, sinceMs: Date.now() } as const;
  changeOwnClock(userId, { kind: 'seated', roomId: RoomId.parse(5), presses: [] });
  changeOwnClock(userId, { kind: 'present', clock });
  const { history } = show('/studyroom/5');
  const answer = async (isConfirmed: boolean) => {
    fireEvent.click(screen.getByRole('button', { name: '김모각 메뉴' }));
    fireEvent.click(screen.getByRole('menuitem', { name: '로그아웃' }));
    const [question] = notify.state().dialogs;
    expect(question?.title).toBe('집중을 마치고 로그아웃할까요?');
    await act(async () => question?.answer(isConfirmed));
  };
  await answer(false);
  expect([useSession.getState().isLoggedIn, history.at(-1)]).toEqual([true, '/studyroom/5']);
  await answer(true);
  expect([useSession.getState().isLoggedIn, history.at(-1)]).toEqual([false, '/login']);
  const toasts = notify.state().toasts.map((toast) => toast.text);
  expect(toasts).toContain('수고했어요. 집중한 시간을 저장하고 로그아웃했어요.');
  act(() => changeOwnClock(userId, { kind: 'closed' }));
});
