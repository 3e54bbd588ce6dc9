import { errors, UserId, unlinkSocialLogin } from '@mogakgong/contract';
import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { refusal, startFakeApi } from '../../../testing/fake-api.ts';
import { LEARNER, logIn } from '../../../testing/log-in.ts';
import { render } from '../../../testing/render.tsx';
import { call } from '../../shared/api/index.ts';
import { Reauthentication } from './reauthentication.tsx';

const UNLINK = '/api/user/social-logins/kakao';
const PROOF = '/api/auth/reauthenticate';
const LOGINS = '/api/user/social-logins';
const left = { logins: [], hasPassword: true };

const SECOND_FACTOR = '/api/user/second-factor';
const off = { isOn: false, recoveryCodesLeft: 0 };

beforeEach(logIn);

async function show(answers: Record<string, unknown>) {
  const own = { [SECOND_FACTOR]: off, '/api/user/passkeys': { passkeys: [] } };
  const api = startFakeApi({ ...own, ...answers });
  await act(async () => {
    render(<Reauthentication userId={UserId.parse(LEARNER.userId)} />);
  });
  return api;
}

const unlink = () => call(unlinkSocialLogin, { params: { provider: 'kakao' } });

test('a call that needs a recent log-in asks for the password and is repeated', async () => {
  const api = await show({
    [UNLINK]: () => refusal('loginNotRecent'),
    [LOGINS]: left,
    [PROOF]: () => refusal('wrongPassword'),
  });
  // One dialog answers two calls at once.
  const answers = Promise.all([unlink(), unlink()]);
  const password = await screen.findByLabelText('비밀번호');
  await vi.waitFor(() => expect(document.activeElement).toBe(password));
  fireEvent.change(password, { target: { value: 'Wrong-lamp-42' } });
  fireEvent.click(screen.getByRole('button', { name: '확인' }));
  expect(await screen.findByText('비밀번호가 올바르지 않아요.')).toBeTruthy();

  api.answers[PROOF] = { authenticated: true };
  api.answers[UNLINK] = left;
  fireEvent.change(password, { target: { value: 'Blue-lamp-42' } });
  fireEvent.click(screen.getByRole('button', { name: '확인' }));
  expect(await answers).toEqual([left, left]);
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(api.asked.filter((asked) => asked === `DELETE ${UNLINK}`)).toHaveLength(4);
});

test('cancel fails the call with its reason, and the next one asks again', async () => {
  await show({ [UNLINK]: () => refusal('loginNotRecent'), [LOGINS]: left });
  for (const _ of [1, 2]) {
    const answer = unlink();
    fireEvent.click(await screen.findByRole('button', { name: '취소' }));
    await expect(answer).rejects.toThrow(errors.loginNotRecent.ko);
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
});

test('an account without a password logs in again by a linked provider, and comes back', async () => {
  await show({
    [UNLINK]: () => refusal('loginNotRecent'),
    [LOGINS]: { logins: [{ provider: 'naver', email: null }], hasPassword: false },
    '/api/oauth/providers': {
      providers: [
        { provider: 'kakao', isDouble: false },
        { provider: 'naver', isDouble: false },
      ],
    },
  });
  const answer = unlink();
  const link = await screen.findByRole('link', { name: '네이버로 로그인' });
  expect(link.getAttribute('href')).toBe(
    `/oauth2/authorization/naver?next=${encodeURIComponent(window.location.pathname)}`,
  );
  expect(screen.queryByRole('link', { name: /카카오/u })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: '취소' }));
  await expect(answer).rejects.toThrow();
});

test('where log-ins need a code, it is asked for instead', async () => {
  const api = await show({
    [UNLINK]: () => refusal('loginNotRecent'),
    [LOGINS]: left,
    [SECOND_FACTOR]: { isOn: true, recoveryCodesLeft: 10 },
    [PROOF]: { authenticated: true },
  });
  const answer = unlink();
  const code = await screen.findByLabelText<HTMLInputElement>('코드');
  expect(screen.queryByLabelText('비밀번호')).toBeNull();
  await vi.waitFor(() => expect(document.activeElement).toBe(code));
  expect([document.activeElement, code.autocomplete]).toEqual([code, 'one-time-code']);
  api.answers[UNLINK] = left;
  fireEvent.change(code, { target: { value: '123456' } });
  fireEvent.click(screen.getByRole('button', { name: '확인' }));
  expect(await answer).toEqual(left);
});

test('a code is asked for where the page did not know yet that log-ins need one', async () => {
  const api = await show({
    [UNLINK]: () => refusal('loginNotRecent'),
    [LOGINS]: left,
    [PROOF]: () => refusal('secondFactorNeeded'),
  });
  const answer = unlink();
  const password = await screen.findByLabelText('비밀번호');
  // Turned on in another browser while the dialog is open.
  api.answers[SECOND_FACTOR] = { isOn: true, recoveryCodesLeft: 10 };
  fireEvent.change(password, { target: { value: 'Blue-lamp-42' } });
  fireEvent.click(screen.getByRole('button', { name: '확인' }));
  const code = await screen.findByLabelText<HTMLInputElement>('코드');
  expect(screen.queryByLabelText('비밀번호')).toBeNull();
  await vi.waitFor(() => expect(document.activeElement).toBe(code));
  api.answers[PROOF] = { authenticated: true };
  api.answers[UNLINK] = left;
  fireEvent.change(code, { target: { value: '123456' } });
  fireEvent.click(screen.getByRole('button', { name: '확인' }));
  expect(await answer).toEqual(left);
  expect(api.sent.at(-1)?.body).toEqual({ code: '123456' });
});
