import { errors } from '@mogakgong/contract';
import { act, fireEvent, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { refusal, startFakeApi, UNAVAILABLE } from '../../../testing/fake-api.ts';
import { profileOf } from '../../../testing/log-in.ts';
import { render } from '../../../testing/render.tsx';
import { useSession } from '../../features/auth/session.ts';
import { SocialButtons } from '../../features/auth/social-buttons.tsx';
import { queryClient } from '../../shared/api/query.ts';
import accountTexts from '../../shared/i18n/account.ko.json';
import { notify } from '../../shared/ui/notify.ts';
import {
  AuthFailurePage,
  AuthSuccessPage,
  ExtraInfoPage,
  SocialCallbackPage,
} from './social-login-pages.tsx';

const PROFILE = profileOf({ userId: 7, email: '', nickname: '김하늘' });

/** An access token of a log-in; each call returns another one. */
function tokenOf(sid: string): string {
  const payload = { userId: 7, sid, jti: crypto.randomUUID() };
  return `h.${btoa(JSON.stringify(payload)).replaceAll('=', '')}.s`;
}

beforeEach(() => {
  queryClient.clear();
  localStorage.clear();
  useSession.setState({ isLoggedIn: false, token: null, user: null });
});

const address = () => window.location.pathname + window.location.search + window.location.hash;

async function open(path: string, page: ReactNode): Promise<void> {
  window.history.pushState(null, '', path);
  await act(async () => {
    render(page);
  });
}

/** Opens the callback page of a provider; returns the next path. */
async function callBack(path: string): Promise<string> {
  await open(path, <SocialCallbackPage />);
  await vi.waitFor(() => expect(address()).not.toBe(path));
  return address();
}

const answered = { isNew: false, isLinked: false, next: '/statistics' };

test.each([
  ['/google/callback', 'google'],
  ['/kakao/callback', 'kakao'],
  ['/naver/callback', 'naver'],
])('%s asks the API for %s and hands the token on in the hash', async (path, provider) => {
  const token = tokenOf('one');
  const api = startFakeApi({ [`/api/oauth/${provider}/callback`]: { ...answered, token } });
  const target = await callBack(`${path}?code=a+b&state=s&scope=x`);
  expect(api.asked).toEqual([`GET /api/oauth/${provider}/callback?code=a+b&state=s`]);
  expect(target).toBe(`/auth/success?next=%2Fstatistics#token=${token}&isNew=false`);
});

test('an answer of the API without anything leads to /main (specification §2, §7)', async () => {
  const api = startFakeApi({ '/api/oauth/kakao/callback': {} });
  expect(await callBack('/kakao/callback?code=c')).toBe('/main');
  expect(api.asked).toEqual(['GET /api/oauth/kakao/callback?code=c']);
});

test('the callback page says that the log-in is processed', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  await open('/kakao/callback?code=c&state=s', <SocialCallbackPage />);
  expect(screen.getByRole('status').textContent).toContain('로그인 처리 중');
});

test('a new person continues with the rest of the sign-up, a linked log-in with its page', async () => {
  const api = startFakeApi({ '/api/oauth/kakao/callback': { ...answered, isNew: true } });
  expect(await callBack('/kakao/callback?code=c&state=s')).toBe(
    '/signup/extra-info?next=%2Fstatistics',
  );
  api.answers['/api/oauth/kakao/callback'] = { ...answered, isLinked: true, next: '/mypage' };
  expect(await callBack('/kakao/callback?code=d&state=s')).toBe('/mypage');
  await vi.waitFor(() =>
    expect(notify.state().toasts.at(-1)?.text).toBe('로그인 방법을 연결했어요.'),
  );
});

test('a refusal of the provider or the API, or an incomplete answer, leads to the page that explains it', async () => {
  const api = startFakeApi({ '/api/oauth/naver/callback': UNAVAILABLE });
  expect(await callBack('/naver/callback?error=access_denied&state=s')).toBe(
    '/auth/failure?error=access_denied',
  );
  expect(await callBack('/naver/callback')).toBe('/auth/failure?error=missing_code');
  expect(api.asked).toEqual([]);
  expect(await callBack('/naver/callback?code=c&state=s')).toBe('/auth/failure?error=unavailable');
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  render(<AuthFailurePage />);
  expect(await screen.findByText(errors.unavailable.ko)).toBeTruthy();
});

/** Opens /auth/success; returns the next path once the address was cleared. */
async function succeed(path: string): Promise<string> {
  await open(path, <AuthSuccessPage />);
  await vi.waitFor(() => expect(address()).not.toBe('/auth/success'));
  return address();
}

test.each([
  ['#token=TOKEN', '/'],
  ['?token=TOKEN', '/'],
  ['?token=TOKEN&isNew=true', '/signup/extra-info'],
  ['?next=%2Fstatistics#token=TOKEN&isNew=false', '/statistics'],
  ['?next=https%3A%2F%2Fevil.example.org#token=TOKEN', '/main'],
])('/auth/success%s logs in and goes on to %s', async (given, target) => {
  const fresh = tokenOf('one');
  startFakeApi({ '/api/auth/refresh': { token: fresh }, '/api/user/profile': PROFILE });
  expect(await succeed(`/auth/success${given.replace('TOKEN', tokenOf('one'))}`)).toBe(target);
  expect(useSession.getState()).toMatchObject({
    isLoggedIn: true,
    token: fresh,
    user: { userId: 7, nickname: '김하늘' },
  });
});

test('/auth/success waits for another tab that exchanges the refresh cookie', async () => {
  const other = Promise.withResolvers<void>();
  const locks = {
    request: async (_name: string, exchange: () => Promise<unknown>) => {
      await other.promise;
      return exchange();
    },
  };
  vi.stubGlobal('navigator', Object.create(navigator, { locks: { value: locks } }));
  const token = tokenOf('one');
  const api = startFakeApi({ '/api/auth/refresh': { token }, '/api/user/profile': PROFILE });
  await open(`/auth/success#token=${token}`, <AuthSuccessPage />);
  expect(api.asked).toEqual([]);
  other.resolve();
  await vi.waitFor(() => expect(address()).toBe('/'));
});

test('/auth/success without a token leads to missing_token', async () => {
  startFakeApi({});
  expect(await succeed('/auth/success?isNew=false')).toBe('/auth/failure?error=missing_token');
});

test.each([
  ['of another log-in', { token: tokenOf('mine') }, tokenOf('of an attacker')],
  ['without a cookie', UNAVAILABLE, tokenOf('of an attacker')],
  ['that is none', { token: tokenOf('mine') }, 'nonsense'],
])('/auth/success takes no token %s', async (_, refreshed, token) => {
  startFakeApi({ '/api/auth/refresh': refreshed, '/api/user/profile': PROFILE });
  expect(await succeed(`/auth/success#token=${token}`)).toBe('/auth/failure?error=invalid_token');
  expect(useSession.getState().isLoggedIn).toBe(false);
});

test.each(
  Object.entries(accountTexts)
    .filter(([key]) => /^failure\.(?!lead|back)/u.test(key))
    .map(([key, text]) => [key.slice('failure.'.length), text] as const),
)('/auth/failure explains %s and leads back to /login', async (code, text) => {
  const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  await open(`/auth/failure?error=${code}`, <AuthFailurePage />);
  expect(screen.getByRole('heading', { name: '로그인에 실패했습니다.' })).toBeTruthy();
  expect(screen.getByText(text)).toBeTruthy();
  expect(screen.getByRole('link').getAttribute('href')).toBe('/login');
  expect(log).toHaveBeenCalledWith(expect.anything(), code);
});

test('/auth/failure shows nothing of an unknown code', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  await open('/auth/failure?error=<b>x</b>', <AuthFailurePage />);
  expect(screen.getByText(accountTexts['failure.lead'])).toBeTruthy();
  expect(document.body.textContent).not.toContain('<b>');
});

const newcomer = { provider: 'kakao', email: null, nickname: ' 김  하늘 ' };

test('the rest of the sign-up needs a name and all consents, then logs in', async () => {
  const token = tokenOf('one');
  const api = startFakeApi({ '/api/auth/social-signup': newcomer, '/api/user/profile': PROFILE });
  await open('/signup/extra-info?next=%2Fstatistics', <ExtraInfoPage />);
  const name = await screen.findByLabelText<HTMLInputElement>('이름(닉네임)');
  expect(name.value).toBe('김 하늘');
  expect(screen.getByText('카카오 계정으로 가입해요')).toBeTruthy();
  // The picture and the introduction may come later.
  expect(screen.getAllByRole('textbox')).toEqual([name]);
  const submit = screen.getByRole('button', { name: '가입하기' });
  fireEvent.click(submit);
  expect(screen.getByText('필수 약관에 모두 동의해주세요.')).toBeTruthy();
  fireEvent.click(screen.getByRole('checkbox', { name: '모두 동의합니다' }));
  fireEvent.change(name, { target: { value: ' ' } });
  fireEvent.click(submit);
  expect(screen.getByText('모든 필드를 입력해주세요.')).toBeTruthy();
  fireEvent.change(name, { target: { value: '하늘' } });
  expect(api.asked).toEqual(['GET /api/auth/social-signup']);

  api.answers['/api/auth/social-signup'] = { token };
  fireEvent.click(submit);
  fireEvent.click(submit);
  await vi.waitFor(() => expect(address()).toBe('/statistics'));
  expect(api.asked.filter((line) => line.startsWith('POST'))).toHaveLength(1);
  expect(useSession.getState()).toMatchObject({ isLoggedIn: true, token });
});

test('a sign-up that has expired leads to the page that explains it', async () => {
  vi.stubGlobal('fetch', async () => refusal('socialSignupExpired'));
  await open('/signup/extra-info', <ExtraInfoPage />);
  await vi.waitFor(() => expect(address()).toBe('/auth/failure?error=socialSignupExpired'));
  expect(window.history.state).toEqual({ reason: errors.socialSignupExpired.ko });
});

test('/login shows the providers that the server wrote into the page before anything is asked, in Korean Kakao first', () => {
  startFakeApi({ '/api/oauth/providers': UNAVAILABLE });
  document.documentElement.dataset.social = 'google kakao naver';
  render(<SocialButtons next="/main" />);
  delete document.documentElement.dataset.social;
  expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    '카카오로 로그인',
    '네이버로 로그인',
    'Google로 로그인',
  ]);
});

test('/login offers the providers of the site, doubles as such, and none when they are unknown', async () => {
  const api = startFakeApi({ '/api/oauth/providers': UNAVAILABLE });
  const { unmount } = render(<SocialButtons next="/statistics" />);
  await vi.waitFor(() => expect(api.asked).toHaveLength(1));
  expect(screen.queryByRole('link')).toBeNull();
  unmount();

  api.answers['/api/oauth/providers'] = {
    providers: [
      { provider: 'google', isDouble: false },
      { provider: 'naver', isDouble: true },
    ],
  };
  render(<SocialButtons next="/statistics" />);
  const google = await screen.findByRole('link', { name: 'Google로 로그인' });
  expect(google.getAttribute('href')).toBe('/oauth2/authorization/google?next=%2Fstatistics');
  expect(screen.getByRole('link', { name: '네이버로 로그인 (개발용)' })).toBeTruthy();
});
