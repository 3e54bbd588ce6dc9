import { RoomId } from '@mogakgong/contract';
import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { RefusedRoom } from './stopped-room.tsx';

test('who is refused because of a block is led to whom they block, and to another room', async () => {
  const refusal = { errorName: 'blockedPersonInRoom', message: '이 방에 들어갈 수 없어요.' };
  await act(async () =>
    render(<RefusedRoom roomId={RoomId.parse(3)} refusal={refusal as never} onRetry={vi.fn()} />),
  );
  const link = await screen.findByRole('link', { name: '차단한 사람 보기' });
  expect(link.getAttribute('href')).toBe('/settings#blocked');
  expect(screen.getByRole('button', { name: '다른 방 찾기' })).toBeDefined();
});
