import { errors } from '@mogakgong/contract';
import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { refusal, startFakeApi } from '../../../testing/fake-api.ts';
import { render } from '../../../testing/render.tsx';
import { startSession, useSession } from '../../features/auth/session.ts';
import { storeAccessToken } from '../../shared/api/index.ts';
import { notify } from '../../shared/ui/notify.ts';
import { PasswordResetPage } from './password-reset-page.tsx';

beforeEach(() => window.history.replaceState(null, '', '/password-reset'));

async function show() {
  await act(async () => {
    render(<PasswordResetPage />);
  });
  await screen.findByRole('heading', { level: 1 });
}

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

test.each([
  [true, /kim@example\.com 주소로 가입한 계정이 있다면 곧 메일이 도착해요/u],
  [false, /아직 메일을 보낼 수 없어요/u],
])('a request is answered by what happens to the mail (sent: %s)', async (isMailed, text) => {
  const { asked } = startFakeApi({ '/api/auth/password-reset': { isMailed } });
  await show();
  type('이메일', 'kim@');
  press('메일 받기');
  expect(screen.getByRole('alert').textContent).toBe('올바른 이메일 형식을 입력해주세요.');
  expect(document.activeElement).toBe(screen.getByLabelText('이메일'));
  expect(asked).toEqual([]);

  type('이메일', ' kim@example.com ');
  press('메일 받기');
  press('메일 받기');
  const status = await screen.findByRole('status');
  expect(status.textContent).toMatch(text);
  await vi.waitFor(() => expect(document.activeElement).toBe(status));
  expect(asked).toEqual(['POST /api/auth/password-reset']);
  press('다른 주소로 다시 요청하기');
  expect((await screen.findByLabelText<HTMLInputElement>('이메일')).value).toBe('');
});

test('the link of the mail, in the same tab, sets a new password, and leads to the log-in', async () => {
  const bodies: unknown[] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    bodies.push(JSON.parse(body));
    return Response.json({ changed: true });
  });
  await show();
  window.history.replaceState(null, '', '/password-reset#token=abc');
  act(() => void window.dispatchEvent(new HashChangeEvent('hashchange')));
  type('새 비밀번호', 'Green-desk-7');
  type('새 비밀번호 확인', 'Green-desk-7');
  press('비밀번호 바꾸기');
  press('비밀번호 바꾸기');
  await vi.waitFor(() => expect(window.location.pathname).toBe('/email-login'));
  expect(window.location.hash).toBe('');
  expect(notify.state().toasts.at(-1)?.text).toMatch(/새 비밀번호로 로그인해 주세요/u);
  expect(bodies).toEqual([
    { token: 'abc', newPassword: 'Green-desk-7', confirmNewPassword: 'Green-desk-7' },
  ]);
});

test.each([
  ['that has ended is forgotten', 401, false],
  ['of another account stays', 200, true],
])('a log-in of this browser %s', async (_, status, stays) => {
  useSession.setState({ isLoggedIn: true, token: 'old', user: null });
  const stopSession = startSession();
  window.history.replaceState(null, '', '/password-reset#token=abc');
  vi.stubGlobal('fetch', async (address: string) =>
    address.endsWith('/refresh')
      ? Response.json({ token: 'new' }, { status })
      : Response.json({ changed: true }),
  );
  await show();
  type('새 비밀번호', 'Green-desk-7');
  type('새 비밀번호 확인', 'Green-desk-7');
  press('비밀번호 바꾸기');
  await vi.waitFor(() => expect(window.location.pathname).toBe('/email-login'));
  expect(useSession.getState().isLoggedIn).toBe(stays);
  stopSession();
  storeAccessToken(null);
});

test('an expired link is reported and leads to another mail', async () => {
  window.history.replaceState(null, '', '/password-reset#token=old');
  vi.stubGlobal('fetch', async () => refusal('resetLinkEnded'));
  await show();
  expect(screen.queryByRole('button', { name: '아이디·비밀번호 찾기' })).toBeNull();
  type('새 비밀번호', 'Green-desk-7');
  type('새 비밀번호 확인', 'Green-desk-7');
  press('비밀번호 바꾸기');
  expect(await screen.findByText(errors.resetLinkEnded.ko)).toBeTruthy();
  press('아이디·비밀번호 찾기');
  expect(screen.getByLabelText('이메일')).toBeTruthy();
  expect(window.location.hash).toBe('');
});

test('an account with a second factor is asked for a code, with the passwords still there', async () => {
  window.history.replaceState(null, '', '/password-reset#token=abc');
  const bodies: { code?: string }[] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    bodies.push(JSON.parse(body));
    if (bodies.length > 1) return Response.json({ changed: true });
    return refusal('secondFactorNeeded');
  });
  await show();
  type('새 비밀번호', 'Green-desk-7');
  type('새 비밀번호 확인', 'Green-desk-7');
  press('비밀번호 바꾸기');
  const code = await screen.findByLabelText('2단계 인증 코드');
  await vi.waitFor(() => expect(document.activeElement).toBe(code));
  type('2단계 인증 코드', '123456');
  press('비밀번호 바꾸기');
  await vi.waitFor(() => expect(window.location.pathname).toBe('/email-login'));
  expect(bodies.map((body) => body.code)).toEqual([undefined, '123456']);
});
