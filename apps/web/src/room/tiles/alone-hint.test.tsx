import { UserId } from '@mogakgong/contract';
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
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

test('a host gets to the link from there', async () => {
  const { toggle } = await show({ hostId: 1, ...approval });
  fireEvent.click(screen.getByRole('button', { name: '초대 링크' }));
  expect(toggle).toHaveBeenCalledWith('about');
});

test('a guest who is alone has no link to send', async () => {
  await show({ hostId: 2, ...approval });
  expect(screen.queryByRole('button')).toBeNull();
});
