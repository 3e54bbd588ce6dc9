import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { render } from '../../../testing/render.tsx';
import { LoadState } from './load-state.tsx';

const failed = (reload: () => void) => ({
  value: null,
  error: '네트워크 오류가 발생했습니다.',
  isLoading: false,
  reload,
});

test('what could not be loaded says why, with a retry', () => {
  const reload = vi.fn();
  render(<LoadState of={failed(reload)}>{() => null}</LoadState>);
  expect(screen.getByRole('alert').textContent).toContain('네트워크 오류가 발생했습니다.');
  screen.getByRole('button', { name: '다시 시도' }).click();
  expect(reload).toHaveBeenCalledOnce();
});

test('without a network it is one quiet line, and loaded again when the network is back', () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const reload = vi.fn();
  render(<LoadState of={failed(reload)}>{() => null}</LoadState>);
  expect(screen.getByText('인터넷에 연결되면 보여요.')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
  onLine.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  expect(reload).toHaveBeenCalledOnce();
});
