import { act } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { render } from '../../../testing/render.tsx';
import { camera, isBlurWanted, setBlurWanted } from '../../features/media/camera.ts';
import { useSaveData } from '../../features/media/save-data.ts';
import { roomTexts } from '../../shared/i18n/namespaces.ts';

import { translationWith } from '../../shared/i18n/texts.ts';
import { notify, useNotices } from '../../shared/ui/notify.ts';
import { ComfortKeys } from './comfort-keys.tsx';

beforeEach(() => {
  useNotices.setState(useNotices.getInitialState());
  useSaveData.setState(useSaveData.getInitialState());
  camera.store.setState({ kind: 'on' } as never);
  return () => setBlurWanted(false);
});

async function renderBusy() {
  await translationWith(roomTexts);
  await act(async () => render(<ComfortKeys />));
  vi.useFakeTimers();
  act(() => useSaveData.setState({ need: 'cpu' }));
}

test('a learner whose computer stays busy is offered to turn the blur off, which stays on otherwise', async () => {
  setBlurWanted(true);
  await renderBusy();
  act(() => vi.advanceTimersByTime(119_999));
  expect(notify.state().toasts).toEqual([]);
  act(() => vi.advanceTimersByTime(1));
  const [offer] = notify.state().toasts;
  expect(offer?.text).toMatch(/^컴퓨터에 부담이 커요/u);
  expect(isBlurWanted()).toBe(true);
  offer?.action?.onPress();
  expect(isBlurWanted()).toBe(false);
});

test('nothing is offered without a blur, or if the computer was busy for a moment', async () => {
  await renderBusy();
  act(() => vi.advanceTimersByTime(120_000));
  setBlurWanted(true);
  act(() => useSaveData.setState({ need: null }));
  act(() => useSaveData.setState({ need: 'cpu' }));
  act(() => vi.advanceTimersByTime(60_000));
  act(() => useSaveData.setState({ need: null }));
  act(() => vi.advanceTimersByTime(120_000));
  expect(notify.state().toasts).toEqual([]);
});
