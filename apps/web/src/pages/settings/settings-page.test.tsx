import { errors, type LoginSession, UserId } from '@mogakgong/contract';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Route } from 'wouter';
import { UNAVAILABLE } from '../../../testing/fake-api.ts';
import { LEARNER, logIn } from '../../../testing/log-in.ts';
import { showPage } from '../../../testing/show-page.tsx';
import { startSession, useSession } from '../../features/auth/session.ts';
import { useShortcutsSetting } from '../../features/focus/shortcuts.tsx';
import { TodayTime } from '../../features/focus/today-time.tsx';
import { useSaveData } from '../../features/media/save-data.ts';
import { type SettingsSection, settingsPath } from '../../shared/lib/paths.ts';
import { chooseTheme, currentTheme } from '../../shared/lib/theme.ts';
import { notify } from '../../shared/ui/notify.ts';
import { SettingsPage } from './settings-page.tsx';

const NOW_MS = Date.UTC(2026, 10, 21, 3);

const GOAL = { targetMinutes: 60, tasks: [], isVisible: false, day: '2026-11-21', version: 1 };
const full = {
  '/api/oauth/providers': { providers: [] },
  '/api/user/social-logins': { logins: [], hasPassword: true },
  '/api/user/second-factor': { isOn: false, recoveryCodesLeft: 0 },
  '/api/user/passkeys': { passkeys: [] },
  '/api/user/sessions': { sessions: [] },
  '/api/user/stat/today-study-time': {
    todayStudyTime: 0,
    day: '2026-11-21',
    timeZone: 'Asia/Seoul',
    focusMs: 0,
    runningSinceMs: null,
    dayStartsAtMs: NOW_MS - 1,
    dayEndsAtMs: NOW_MS + 86_400_000,
    serverNowMs: NOW_MS,
  },
  '/api/goals/today': GOAL,
  '/api/blocks/people': { people: [] },
  '/api/user/privacy': {
    deletesAtMs: null,
    consents: [{ name: 'terms', version: '2026-11-21', acceptedAtMs: NOW_MS }],
  },
  '/api/user/settings/leaderboards': { isOn: false },
  '/api/push': { kinds: [], quiet: null, isOnHere: false, publicKey: 'B'.repeat(87) },
  '/api/user/settings/focus': {
    timeZone: 'Asia/Seoul',
    dayStartMinutes: 0,
    startsOnEntering: true,
  },
};

let stopSession: () => void;
beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS, toFake: ['Date'] });
  logIn();
  stopSession = startSession();
});
afterEach(() => {
  stopSession();
  for (const { id } of notify.state().toasts) notify.dismissToast(id);
  chooseTheme('system');
});

async function show(section: SettingsSection, answers: Record<string, unknown> = full) {
  window.history.pushState(null, '', settingsPath(section));
  // The header knows the learner's day.
  const page = (
    <>
      <TodayTime userId={UserId.parse(LEARNER.userId)} />
      <Route path="/settings/:section?">
        <SettingsPage />
      </Route>
    </>
  );
  const api = await showPage(page, answers);
  await screen.findAllByRole('region');
  await vi.waitFor(() => expect(screen.queryByText('불러오는 중')).toBeNull());
  return api;
}

const lastToast = () => notify.state().toasts.at(-1)?.text;

test('every page has an address, a link and a heading', async () => {
  await show('display');
  const links = within(screen.getByRole('navigation', { name: '설정 항목' })).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['화면', '/settings/display'],
    ['공부', '/settings/study'],
    ['알림', '/settings/notifications'],
    ['보안', '/settings/security'],
    ['개인정보', '/settings/privacy'],
    ['차단한 사람', '/settings/blocked'],
  ]);
  for (const link of links) {
    await act(async () => link.click());
    const name = String(link.textContent);
    expect(await screen.findByRole('heading', { level: 2, name })).toBeTruthy();
    expect(link.getAttribute('aria-current')).toBe('page');
    expect(window.location.pathname).toBe(link.getAttribute('href'));
    expect(document.title).toContain(`${name} · 설정`);
    // The CSV is offered by the statistics alone, and "?" alone lists the keys.
    expect(screen.queryByRole('button', { name: /CSV/u })).toBeNull();
    expect(document.querySelector('kbd')).toBeNull();
  }
});

test('the first page is at /settings too, and so is an address that names none', async () => {
  await show('display');
  await act(async () => window.history.pushState(null, '', '/settings/nothing'));
  await vi.waitFor(() => expect(window.location.pathname).toBe('/settings'));
  expect(screen.getByRole('heading', { level: 2, name: '화면' })).toBeTruthy();
});

test('theme and language are chosen here as in the header', async () => {
  await show('display');
  fireEvent.click(screen.getByRole('radio', { name: '어둡게' }));
  expect(currentTheme()).toBe('dark');
  act(() => chooseTheme('light'));
  expect(screen.getByRole<HTMLInputElement>('radio', { name: '밝게' }).checked).toBe(true);
  fireEvent.click(screen.getByRole('radio', { name: 'English' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Settings' })).toBeTruthy();
});

const socialLogins = {
  '/api/oauth/providers': {
    providers: [
      { provider: 'google', isDouble: false },
      { provider: 'kakao', isDouble: true },
    ],
  },
  '/api/user/social-logins': {
    logins: [{ provider: 'kakao', email: 'kim@example.org' }],
    hasPassword: false,
  },
};

test('the last way to log in cannot be unlinked, but another one can be linked', async () => {
  const { answers, asked } = await show('security', { ...full, ...socialLogins });
  const panel = within(await screen.findByRole('region', { name: '로그인 방법' }));
  expect(panel.getByText('카카오 (개발용)')).toBeTruthy();
  expect(panel.getByText('kim@example.org')).toBeTruthy();
  expect(panel.getByText('마지막 로그인 방법은 해제할 수 없어요.')).toBeTruthy();

  const link = panel.getByRole('button', { name: 'Google 연결하기' });
  fireEvent.click(link);
  await vi.waitFor(() => expect(lastToast()).toMatch(/이용할 수 없어요/u));
  answers['/api/user/social-logins/google'] = { url: '#provider' };
  fireEvent.click(link);
  await vi.waitFor(() => expect(window.location.hash).toBe('#provider'));
  expect(asked).toContain('POST /api/user/social-logins/google');
});

test('an unlinked log-in can be linked again', async () => {
  const { answers } = await show('security', {
    ...full,
    '/api/oauth/providers': { providers: [{ provider: 'naver', isDouble: false }] },
    '/api/user/social-logins': { logins: [{ provider: 'naver', email: null }], hasPassword: true },
  });
  const unlink = await screen.findByRole('button', { name: '네이버 연결 해제' });
  fireEvent.click(unlink);
  await vi.waitFor(() => expect(lastToast()).toMatch(/이용할 수 없어요/u));
  await vi.waitFor(() => expect(unlink.getAttribute('aria-busy')).toBeNull());
  answers['/api/user/social-logins/naver'] = { logins: [], hasPassword: true };
  fireEvent.click(unlink);
  expect(await screen.findByRole('button', { name: '네이버 연결하기' })).toBeTruthy();
});

const FIRST_ID = '11111111-1111-4111-8111-111111111111';
const OTHER_ID = '22222222-2222-4222-8222-222222222222';
const sessions: readonly LoginSession[] = [
  {
    sessionId: FIRST_ID,
    browser: 'Chrome',
    system: 'Windows',
    beganAtMs: NOW_MS,
    lastUsedAtMs: NOW_MS,
    isOwn: true,
  },
  {
    sessionId: OTHER_ID,
    browser: null,
    system: null,
    beganAtMs: NOW_MS,
    lastUsedAtMs: NOW_MS,
    isOwn: false,
  },
];

test('devices are named, and another one can be logged out', async () => {
  const { answers, asked } = await show('security', {
    ...full,
    '/api/user/sessions': { sessions },
  });
  const panel = within(screen.getByRole('region', { name: '로그인한 기기' }));
  const [own, other] = panel.getAllByRole('listitem');
  expect(own?.textContent).toContain('Windows · Chrome지금 이 기기마지막 사용 2026. 11. 21.');
  expect(own && within(own).queryByRole('button')).toBeNull();
  expect(other?.textContent).toContain('알 수 없는 기기');

  const end = panel.getByRole('button', { name: '알 수 없는 기기에서 로그아웃' });
  fireEvent.click(end);
  await vi.waitFor(() => expect(lastToast()).toMatch(/이용할 수 없어요/u));
  await vi.waitFor(() => expect(end.getAttribute('aria-busy')).toBeNull());
  expect(panel.getAllByRole('listitem')).toHaveLength(2);
  answers[`/api/user/sessions/${OTHER_ID}`] = { sessions: sessions.slice(0, 1) };
  fireEvent.click(end);
  await vi.waitFor(() => expect(lastToast()).toBe('해당 기기에서 로그아웃했어요.'));
  expect(panel.getAllByRole('listitem')).toHaveLength(1);
  expect(panel.queryByRole('button')).toBeNull();
  expect(asked.filter((request) => request.startsWith('DELETE'))).toHaveLength(2);
});

test('all other devices are logged out at once', async () => {
  const { answers, asked } = await show('security', {
    ...full,
    '/api/user/sessions': { sessions },
  });
  answers['/api/user/sessions'] = { sessions: sessions.slice(0, 1) };
  fireEvent.click(screen.getByRole('button', { name: '다른 기기 모두 로그아웃' }));
  await vi.waitFor(() => expect(lastToast()).toBe('다른 모든 기기에서 로그아웃했어요.'));
  expect(asked).toContain('DELETE /api/user/sessions');
  expect(screen.queryByRole('button', { name: '다른 기기 모두 로그아웃' })).toBeNull();
});

test('the goal is shown to the room, or not; a change that cannot be saved is reverted', async () => {
  const { answers, asked } = await show('privacy');
  const shown = () => screen.getByLabelText<HTMLInputElement>(/^오늘 목표를/u);
  await vi.waitFor(() => expect(shown().disabled).toBe(false));
  expect(shown().checked).toBe(false);
  answers['/api/goals/today'] = { ...GOAL, isVisible: true, version: 2 };
  fireEvent.click(shown());
  expect(shown().checked).toBe(true);
  await vi.waitFor(() => expect(asked).toContain('PUT /api/goals/today'));
  expect(shown().checked).toBe(true);
  const { status, ko } = errors.invalidRequest;
  answers['/api/goals/today'] = () => Response.json({ message: ko }, { status });
  fireEvent.click(shown());
  await vi.waitFor(() => expect(lastToast()).toBe(ko));
  await vi.waitFor(() => expect(shown().checked).toBe(true));
});

const people = [
  { userId: 7, nickname: '시끄러운사람', profileImage: 'default.jpg' },
  { userId: 8, nickname: '다른사람', profileImage: 'default.jpg' },
];

test('a blocked person is unblocked; a failure is reported', async () => {
  const { answers } = await show('blocked', { ...full, '/api/blocks/people': { people } });
  const list = within(screen.getByRole('region', { name: '차단 목록' }));
  expect(list.getAllByRole('listitem')).toHaveLength(2);
  const unblock = list.getByRole('button', { name: '시끄러운사람 차단 해제' });
  fireEvent.click(unblock);
  await vi.waitFor(() => expect(lastToast()).toMatch(/이용할 수 없어요/u));
  await vi.waitFor(() => expect(unblock.getAttribute('aria-busy')).toBeNull());
  answers['/api/blocks/7'] = { blockedIds: [8] };
  unblock.focus();
  fireEvent.click(unblock);
  await vi.waitFor(() => expect(lastToast()).toBe('시끄러운사람님의 차단을 해제했어요.'));
  expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    // Including the letter that replaces a picture.
    '다다른사람차단 해제',
  ]);
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('차단 목록'));
});

test('an empty block list is stated, and a list that failed can be loaded again', async () => {
  const { answers } = await show('blocked', { ...full, '/api/blocks/people': UNAVAILABLE });
  const list = within(screen.getByRole('region', { name: '차단 목록' }));
  answers['/api/blocks/people'] = { people: [] };
  fireEvent.click(await list.findByRole('button', { name: '다시 시도' }));
  expect(await list.findByText(/^차단한 사람이 없어요/u)).toBeTruthy();
});

test('a press asks for notifications, and a refusal is explained', async () => {
  const requestPermission = vi.fn(async () => {
    Object.assign(FakeNotification, { permission: 'denied' });
    return 'denied';
  });
  const FakeNotification = Object.assign(vi.fn(), { permission: 'default', requestPermission });
  vi.stubGlobal('Notification', FakeNotification);
  await show('notifications');
  expect(requestPermission).not.toHaveBeenCalled();
  const box = screen.getByLabelText<HTMLInputElement>('끝날 때 다른 창을 보고 있으면 알림');
  fireEvent.click(box);
  expect(await screen.findByText(/알림을 막고 있어요/u)).toBeTruthy();
  expect(requestPermission).toHaveBeenCalledOnce();
  expect(box.checked).toBe(false);
});

test('data is saved automatically, always or never, by one switch', async () => {
  await show('display');
  const chosen = () => useSaveData.getState().mode;
  expect(screen.getByRole<HTMLInputElement>('radio', { name: '자동' }).checked).toBe(true);
  fireEvent.click(screen.getByRole('radio', { name: '항상' }));
  expect(chosen()).toBe('always');
  expect(screen.getByText('데이터를 절약하고 있어요.')).toBeTruthy();
  expect(JSON.parse(localStorage.getItem('mogakgong.save-data') ?? '').state).toEqual({
    mode: 'always',
  });
  fireEvent.click(screen.getByRole('radio', { name: '안 함' }));
  expect(chosen()).toBe('never');
  useSaveData.setState(useSaveData.getInitialState());
});

test('the study room’s shortcuts are switched off here too', async () => {
  await show('display');
  const box = screen.getByLabelText<HTMLInputElement>(/단축키 사용/u);
  fireEvent.click(box);
  expect(useShortcutsSetting.getState().isOn).toBe(false);
  fireEvent.click(box);
  expect(useShortcutsSetting.getState().isOn).toBe(true);
});

test('the data of the learner is downloaded as a file, after a failure too', async () => {
  const { answers } = await show('privacy');
  const saved: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    saved.push(file as Blob);
    return '#file';
  });
  const panel = within(await screen.findByRole('region', { name: '내 데이터 내려받기' }));
  const download = panel.getByRole('button', { name: '내려받기' });
  fireEvent.click(download);
  expect((await panel.findByText(/이용할 수 없어요/u)).closest('[role=alert]')).toBeTruthy();
  answers['/api/user/export'] = () =>
    new Response('a zip file', { headers: { 'content-type': 'application/zip' } });
  fireEvent.click(download);
  expect(await panel.findByText('내려받았어요.')).toBeTruthy();
  expect(await saved[0]?.text()).toBe('a zip file');
});

test('consents are listed with version and date', async () => {
  await show('privacy');
  const panel = within(await screen.findByRole('region', { name: '동의한 내용' }));
  expect(await panel.findByText('2026-11-21 버전 · 2026. 11. 21. 동의')).toBeTruthy();
  expect(panel.getByRole('link', { name: '이용약관' }).getAttribute('href')).toBe('/terms');
});

test('a deletion is explained, needs a confirmation, and logs out', async () => {
  const { answers, asked } = await show('privacy');
  const panel = within(await screen.findByRole('region', { name: '탈퇴' }));
  fireEvent.click(panel.getByRole('button', { name: '탈퇴하기' }));
  const consequences = panel.getByRole('list');
  expect(document.activeElement).toBe(consequences);
  fireEvent.click(panel.getByRole('button', { name: '취소' }));
  const open = panel.getByRole('button', { name: '탈퇴하기' });
  expect(document.activeElement).toBe(open);
  fireEvent.click(open);
  expect(panel.getByText(/같은 이메일로 다시 가입해도/u)).toBeTruthy();
  expect(panel.getByText(/탈퇴를 취소할 수 있어요/u)).toBeTruthy();
  fireEvent.click(panel.getByRole('radio', { name: '바로' }));
  expect(panel.queryByText(/탈퇴를 취소할 수 있어요/u)).toBeNull();
  const request = panel.getByRole('button', { name: '탈퇴 신청' });
  fireEvent.click(request);
  expect(panel.getByText('확인해 주세요.')).toBeTruthy();
  expect(asked).not.toContain('POST /api/user/deletion');
  fireEvent.click(panel.getByRole('checkbox'));
  fireEvent.click(request);
  expect((await panel.findByText(/이용할 수 없어요/u)).closest('[role=alert]')).toBeTruthy();
  fireEvent.click(panel.getByRole('radio', { name: '30일 뒤' }));
  answers['/api/user/deletion'] = { deletesAtMs: Date.UTC(2026, 11, 21, 3) };
  fireEvent.click(request);
  await vi.waitFor(() => expect(useSession.getState().isLoggedIn).toBe(false));
  expect(lastToast()).toMatch(/2026년 12월 21일 .*까지 로그인하면 취소할 수 있어요/u);
});
