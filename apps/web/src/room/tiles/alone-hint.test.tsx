import { HOUR_MS, type Today, UserId } from '@mogakgong/contract';
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { startFakeApi } from '../../../testing/fake-api.ts';
import { logIn } from '../../../testing/log-in.ts';
import { render } from '../../../testing/render.tsx';
import type { RoomLive } from '../live/room-live.ts';
import { AloneHint } from './alone-hint.tsx';

const userId = UserId.parse(1);
const open = { isPublic: true, needsApproval: false };
const approval = { isPublic: true, needsApproval: true };
const invitation = { isPublic: false, needsApproval: false };

async function show(room: { hostId: number } | null) {
  const store = createStore(() => ({ about: room })) as unknown as RoomLive['store'];
  const panels = { open: null, toggle: vi.fn() };
  await act(async () => render(<AloneHint live={{ userId, store }} panels={panels} />));
  await screen.findByText(/혼자예요/u);
  return panels;
}

test.each([
  { room: null, text: /곧 누군가/u },
  { room: { hostId: 1, ...open }, text: /곧 누군가/u },
  { room: { hostId: 1, ...approval }, text: /있으면 여기서 알려/u },
  { room: { hostId: 1, ...approval, isPublic: false }, text: /있으면 여기서 알려/u },
  { room: { hostId: 1, ...invitation }, text: /초대 링크를 받은/u },
  { room: { hostId: 2, ...approval }, text: /방장이 수락한/u },
  { room: { hostId: 2, ...invitation }, text: /초대 링크를 받은/u },
])('a learner alone reads a hint that fits their room: $text', async ({ room, text }) => {
  await show(room);
  expect(screen.getByText(text)).toBeTruthy();
});

test('a learner alone in an open room also reads when others are usually there', async () => {
  const nowMs = Date.UTC(2026, 10, 27, 11);
  const today: Today = {
    ...{ todayStudyTime: 0, day: '2026-11-27', timeZone: 'Asia/Seoul', focusMs: 0 },
    ...{ runningSinceMs: null, serverNowMs: nowMs },
    ...{ dayStartsAtMs: nowMs - 20 * HOUR_MS, dayEndsAtMs: nowMs + 4 * HOUR_MS },
  };
  const hours = [0, 1, 2].map((hour) => ({
    beginsAtMs: nowMs + hour * HOUR_MS,
    learners: 3 + 6 * hour,
  }));
  logIn();
  startFakeApi({
    '/api/user/stat/today-study-time': today,
    '/api/study-rooms/busy-hours': { hours },
  });
  await show(null);
  // From 20:00 in Seoul on; the second hour has company enough.
  expect(await screen.findByText('보통 오후 9시에서 오후 11시 사이에 15명쯤 모여요.')).toBeTruthy();
});

test('a host gets to the link from there', async () => {
  const { toggle } = await show({ hostId: 1, ...approval });
  fireEvent.click(screen.getByRole('button', { name: '초대 링크' }));
  expect(toggle).toHaveBeenCalledWith('about');
});

test('a guest who is alone has no link to send', async () => {
  await show({ hostId: 2, ...approval });
  expect(screen.queryByRole('button')).toBeNull();
});
