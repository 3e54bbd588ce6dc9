import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { refusal } from '../../../testing/fake-api.ts';
import { showPage } from '../../../testing/show-page.tsx';
import { useSession } from '../../features/auth/session.ts';
import { notify } from '../../shared/ui/notify.ts';
import { JoinPage } from './join-page.tsx';

beforeEach(() => {
  useSession.setState({ isLoggedIn: false, token: null, user: null });
  window.history.replaceState(null, '', '/join');
});

async function signUp(logIn: unknown) {
  const api = await showPage(<JoinPage />, {
    '/api/auth/signup': { userId: 1 },
    '/api/auth/login': logIn,
  });
  const type = (label: string, text: string) =>
    fireEvent.change(screen.getByLabelText(label), { target: { value: text } });
  type('이메일', 'kim@example.com');
  type('비밀번호', 'abcd-1234');
  type('비밀번호 확인', 'abcd-1234');
  type('이름(닉네임)', '김모각');
  fireEvent.click(screen.getByLabelText('모두 동의합니다'));
  await act(async () => screen.getByRole('button', { name: '가입하기' }).click());
  await vi.waitFor(() => expect(window.location.pathname).toBe('/email-login'));
  return api;
}

test('a new account logs in with what was typed, on its way to the camera check', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const api = await signUp(() => promise);
  expect(window.location.search).toBe('?next=%2Fmain%3Fenter');
  resolve(Response.json({ token: 'a.b.c' }));
  await vi.waitFor(() => expect(useSession.getState().isLoggedIn).toBe(true));
  const credentials = { email: 'kim@example.com', password: 'abcd-1234' };
  expect(api.sent.find(({ path }) => path === '/api/auth/login')?.body).toEqual(credentials);
});

test('a new account that cannot be logged in now has its address filled in, and is told so', async () => {
  await signUp(() => refusal('tooManyRequests'));
  expect(window.history.state).toEqual({ email: 'kim@example.com' });
  await vi.waitFor(() =>
    expect(notify.state().toasts.map(({ text }) => text)).toEqual([
      '가입했어요. 비밀번호를 입력하면 바로 시작할 수 있어요.',
    ]),
  );
});
