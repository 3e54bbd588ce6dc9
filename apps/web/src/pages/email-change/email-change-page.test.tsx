import { errors } from '@mogakgong/contract';
import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { refusal } from '../../../testing/fake-api.ts';
import { logIn } from '../../../testing/log-in.ts';
import { showPage } from '../../../testing/show-page.tsx';
import { useSession } from '../../features/auth/session.ts';
import { notify } from '../../shared/ui/notify.ts';
import { EmailChangePage } from './email-change-page.tsx';

beforeEach(() => {
  useSession.setState({ isLoggedIn: false, token: null, user: null });
  window.history.replaceState(null, '', '/email-change#token=abc');
});

async function show(answers: Record<string, unknown> = {}) {
  const api = await showPage(<EmailChangePage />, answers);
  await screen.findByRole('heading', { level: 1, name: '이메일 확인' });
  return api;
}

const press = () => fireEvent.click(screen.getByRole('button', { name: '이메일 확인하기' }));
const lastToast = () => notify.state().toasts.at(-1)?.text;

test('a press of the learner behind the link of the mail confirms the e-mail, once', async () => {
  logIn();
  const answer = Promise.withResolvers<Response>();
  const { asked } = await show({ '/api/auth/email-change': () => answer.promise });
  expect(asked).not.toContain('POST /api/auth/email-change');
  press();
  await screen.findByRole('button', { busy: true });
  press();
  answer.resolve(Response.json({ email: 'lee@example.com' }));
  await vi.waitFor(() => expect(window.location.pathname).toBe('/mypage'));
  expect(lastToast()).toBe('이제 lee@example.com 주소가 계정의 이메일이에요.');
  expect(asked.filter((request) => request.startsWith('POST'))).toHaveLength(1);
  expect(window.location.hash).toBe('');
});

test('a logged-out learner is asked to log in, and the link stays good', async () => {
  const { asked } = await show();
  expect(screen.getByText(/로그인한 뒤 메일의 링크를 다시 열어 주세요/u)).toBeTruthy();
  expect(screen.queryByRole('button', { name: '이메일 확인하기' })).toBeNull();
  expect(asked.filter((request) => request.startsWith('POST'))).toEqual([]);
});

test('an expired link is reported, and the page stays', async () => {
  logIn();
  await show({ '/api/auth/email-change': () => refusal('emailLinkEnded') });
  press();
  expect((await screen.findByText(errors.emailLinkEnded.ko)).closest('[role=alert]')).toBeTruthy();
  expect(window.location.pathname).toBe('/email-change');
});

test('without a token there is nothing to press', async () => {
  window.history.replaceState(null, '', '/email-change');
  await show();
  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.getByText(/메일에 있는 링크 전체를 열어 주세요/u)).toBeTruthy();
});
