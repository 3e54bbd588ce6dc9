import { HOUR_MS, type OwnSanction, refresh, type UserId } from '@mogakgong/contract';
import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { startFakeApi } from '../../../testing/fake-api.ts';
import { logIn } from '../../../testing/log-in.ts';
import { render } from '../../../testing/render.tsx';
import { storeAccessToken } from '../../shared/api/index.ts';
import { useSanctionInForce } from './own-sanctions.ts';
import { SanctionNote } from './sanction-note.tsx';
import { SanctionNotices } from './sanction-notices.tsx';
import { SuspendedPanel } from './suspended-panel.tsx';

const NOW_MS = Date.UTC(2026, 10, 21, 3);
const userId = 1 as UserId;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS, toFake: ['Date'] });
  logIn();
});

const sanction = (parts: Partial<OwnSanction> = {}): OwnSanction => ({
  id: 7,
  kind: 'warn',
  rule: null,
  reason: '욕설을 했어요.',
  roomId: null,
  imposedAtMs: NOW_MS,
  endsAtMs: NOW_MS,
  liftedAtMs: null,
  isAcknowledged: false,
  appeal: null,
  ...parts,
});

async function show(page: React.ReactNode, sanctions: readonly OwnSanction[]) {
  const api = startFakeApi({ '/api/sanctions/mine': { sanctions } });
  await act(async () => {
    render(page);
  });
  return api;
}

test('a warning states what was decided, why and by whom, and stays until it is confirmed', async () => {
  const { answers } = await show(<SanctionNotices userId={userId} />, [sanction()]);
  const dialog = await screen.findByRole('alertdialog', { name: '경고를 받았어요' });
  expect(dialog.textContent).toContain('욕설을 했어요.');
  expect(dialog.textContent).toContain('운영자가 신고와 기록을 확인하고 결정했어요.');
  const confirm = screen.getByRole('button', { name: '확인했어요' });
  fireEvent.click(confirm);
  expect((await screen.findByText(/이용할 수 없어요/u)).closest('[role=alert]')).toBeTruthy();
  const done = [sanction({ isAcknowledged: true })];
  answers['/api/sanctions/7/acknowledge'] = { sanctions: done };
  fireEvent.click(confirm);
  await vi.waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
});

test('an automatic decision is labelled as automatic, with the text of its rule', async () => {
  const flood = sanction({ kind: 'muteChat', rule: 'flood', endsAtMs: NOW_MS + HOUR_MS });
  await show(<SanctionNotices userId={userId} />, [flood]);
  const dialog = await screen.findByRole('alertdialog', { name: '채팅을 보낼 수 없게 됐어요' });
  expect(dialog.textContent).toContain('서비스가 자동으로 결정했어요.');
  expect(dialog.textContent).toContain('짧은 시간에 너무 많은 메시지를 보냈어요.');
  expect(dialog.textContent).toMatch(/기간2026년 11월 21일 오[전후] \d+:00까지/u);
});

test('a banned learner renews the token, even when no request was refused', async () => {
  const ban = sanction({ kind: 'ban', endsAtMs: null });
  storeAccessToken('t');
  const { asked } = await show(<SanctionNotices userId={userId} />, [ban]);
  await vi.waitFor(() => expect(asked).toContain(`POST ${refresh.path}`));
});

test('an appeal needs words, is sent once, and shows its answer', async () => {
  const ban = sanction({ kind: 'ban', endsAtMs: null, isAcknowledged: true });
  const onEnded = vi.fn(async () => undefined);
  const { answers, asked } = await show(<SuspendedPanel userId={userId} onEnded={onEnded} />, [
    ban,
  ]);
  fireEvent.click(await screen.findByRole('button', { name: '이의 제기하기' }));
  const send = screen.getByRole('button', { name: '이의 제기 보내기' });
  fireEvent.click(send);
  expect((await screen.findByText('하고 싶은 말을 적어 주세요.')).role).toBe('alert');
  expect(asked).not.toContain('POST /api/sanctions/7/appeal');
  fireEvent.change(screen.getByLabelText('하고 싶은 말'), { target: { value: '오해예요.' } });
  const appeal = { text: '오해예요.', atMs: NOW_MS, answer: null };
  answers['/api/sanctions/7/appeal'] = { sanctions: [{ ...ban, appeal }] };
  fireEvent.click(send);
  await screen.findByText('운영자가 살펴보고 있어요.');
  expect(screen.queryByRole('button', { name: '이의 제기하기' })).toBeNull();
  expect(onEnded).not.toHaveBeenCalled();
});

test('a lifted suspension gives the account back', async () => {
  const onEnded = vi.fn(async () => undefined);
  const lifted = sanction({ kind: 'ban', endsAtMs: null, liftedAtMs: NOW_MS });
  await show(<SuspendedPanel userId={userId} onEnded={onEnded} />, [lifted]);
  await vi.waitFor(() => expect(onEnded).toHaveBeenCalled());
});

test('the note beside a disabled function leads to the reason', async () => {
  const mute = { ...sanction({ endsAtMs: null, isAcknowledged: true }), kind: 'muteChat' as const };
  await show(<SanctionNote userId={userId} sanction={mute} />, []);
  await screen.findByText(/^운영자가 해제할 때까지 채팅을 보낼 수 없어요/u);
  fireEvent.click(screen.getByRole('button', { name: '이유 보기' }));
  expect((await screen.findByRole('dialog')).textContent).toContain('욕설을 했어요.');
  fireEvent.click(screen.getByText('닫기'));
  expect(screen.queryByRole('dialog')).toBeNull();
});

const Standing = () => useSanctionInForce(userId, 'muteChat')?.reason;

test('an opening room asks once, though several parts need the answer', async () => {
  const mute = sanction({ kind: 'muteChat', endsAtMs: null });
  const { asked } = await show(<Standing />, [mute]);
  await screen.findByText('욕설을 했어요.');
  await act(async () => {
    render(<Standing />);
  });
  expect(screen.getAllByText('욕설을 했어요.')).toHaveLength(2);
  expect(asked).toEqual(['GET /api/sanctions/mine']);
});
