import type { OwnSanction, PrivacyState, Restriction } from '@mogakgong/contract';
import { DAY_MS } from '@mogakgong/contract';
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startFakeApi } from '../../../testing/fake-api.ts';
import { logIn } from '../../../testing/log-in.ts';
import { render } from '../../../testing/render.tsx';
import { startSession, useSession } from '../../features/auth/session.ts';
import { storeAccessToken } from '../../shared/api/index.ts';
import { notify } from '../../shared/ui/notify.ts';
import { RestrictedAccountPage } from './restricted-account-page.tsx';

const NOW_MS = Date.UTC(2026, 10, 21, 3);

let stopSession: () => void;
beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS, toFake: ['Date'] });
  logIn();
  stopSession = startSession();
});
afterEach(() => {
  stopSession();
  storeAccessToken(null);
});

/** A token of a restricted account, with an invalid signature. */
const tokenOf = (only: Restriction) => `head.${btoa(JSON.stringify({ only }))}.signature`;

async function show(
  restriction: Restriction,
  state: Partial<PrivacyState> = {},
  sanctions: readonly Partial<OwnSanction>[] = [],
) {
  storeAccessToken(tokenOf(restriction));
  const api = startFakeApi({
    '/api/user/privacy': { deletesAtMs: null, consents: [], ...state },
    '/api/auth/refresh': { token: 'full' },
    '/api/sanctions/mine': { sanctions },
  });
  await act(async () => {
    render(<RestrictedAccountPage />);
  });
  await screen.findByRole('heading', { level: 1 });
  await vi.waitFor(() => expect(screen.queryByText('불러오는 중')).toBeNull());
  return api;
}

test('a planned deletion can be cancelled, which restores the full log-in', async () => {
  const { answers, asked } = await show('leaving', { deletesAtMs: NOW_MS + 7 * DAY_MS });
  expect(await screen.findByText(/^2026년 11월 28일 .*삭제돼요/u)).toBeTruthy();
  const cancel = screen.getByRole('button', { name: '탈퇴 취소하기' });
  fireEvent.click(cancel);
  expect((await screen.findByText(/이용할 수 없어요/u)).closest('[role=alert]')).toBeTruthy();
  answers['/api/user/deletion'] = { cancelled: true };
  fireEvent.click(cancel);
  await vi.waitFor(() => expect(useSession.getState().token).toBe('full'));
  expect(asked).toContain('DELETE /api/user/deletion');
  expect(notify.state().toasts.at(-1)?.text).toBe('탈퇴를 취소했어요. 다시 만나서 반가워요.');
});

test('a deletion that has begun cannot be cancelled', async () => {
  await show('leaving', { deletesAtMs: NOW_MS - 1_000 });
  expect(await screen.findByText('지금 계정을 삭제하고 있어요. 되돌릴 수 없어요.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: '탈퇴 취소하기' })).toBeNull();
});

test('changed terms are accepted one by one or together, which restores the full log-in', async () => {
  const { answers, asked } = await show('consents');
  const submit = await screen.findByRole('button', { name: '동의하고 계속하기' });
  expect(screen.getByRole('link', { name: '이용약관' }).getAttribute('href')).toBe('/terms');
  fireEvent.click(submit);
  expect((await screen.findByText('필수 약관에 모두 동의해주세요.')).role).toBe('alert');
  expect(asked).not.toContain('POST /api/user/consents');
  fireEvent.click(screen.getByRole('checkbox', { name: '모두 동의합니다' }));
  answers['/api/user/consents'] = { agreed: true };
  fireEvent.click(submit);
  await vi.waitFor(() => expect(useSession.getState().token).toBe('full'));
});

test('a learner who does not agree can export their data, delete the account, or log out', async () => {
  await show('consents');
  expect(await screen.findByRole('region', { name: '내 데이터 내려받기' })).toBeTruthy();
  expect(screen.getByRole('region', { name: '탈퇴' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: '로그아웃' }));
  expect(useSession.getState()).toMatchObject({ isLoggedIn: false, user: null });
});

const ban: OwnSanction = {
  id: 3,
  kind: 'ban',
  rule: null,
  reason: '욕설을 했어요.',
  roomId: null,
  imposedAtMs: NOW_MS,
  endsAtMs: null,
  liftedAtMs: null,
  isAcknowledged: true,
  appeal: null,
};

test('a suspended learner reads why, and can export their data or delete the account', async () => {
  await show('suspended', {}, [ban]);
  const why = await screen.findByRole('region', { name: '계정이 영구 정지됐어요' });
  expect(why.textContent).toContain('욕설을 했어요.');
  expect(screen.getByRole('region', { name: '내 데이터 내려받기' })).toBeTruthy();
  expect(screen.getByRole('region', { name: '탈퇴' })).toBeTruthy();
  expect(useSession.getState().token).not.toBe('full');
});

test('a suspended account that is to be deleted can be kept', async () => {
  await show('suspended', { deletesAtMs: NOW_MS + 7 * DAY_MS }, [ban]);
  expect(await screen.findByRole('button', { name: '탈퇴 취소하기' })).toBeTruthy();
});

test('a lifted suspension restores the full log-in', async () => {
  await show('suspended', {}, [{ ...ban, liftedAtMs: NOW_MS }]);
  await vi.waitFor(() => expect(useSession.getState().token).toBe('full'));
});
