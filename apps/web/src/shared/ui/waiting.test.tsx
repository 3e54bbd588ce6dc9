import { act, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { Waiting } from './waiting.tsx';

beforeEach(() => void vi.useFakeTimers());

test('a wait of ten seconds is reported as long, with a reload button', () => {
  render(<Waiting>불러오는 중</Waiting>);
  act(() => vi.advanceTimersByTime(9_900));
  expect(screen.getByRole('status').textContent).toBe('불러오는 중');
  expect(screen.queryByRole('button')).toBeNull();
  act(() => vi.advanceTimersByTime(200));
  expect(
    screen.getByText('평소보다 오래 걸리고 있어요. 인터넷 연결을 확인해 주세요.'),
  ).toBeTruthy();
  expect(screen.getByRole('button', { name: '새로고침' })).toBeTruthy();
});
