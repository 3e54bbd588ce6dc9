import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { render } from '../../../../testing/render.tsx';
import { isBlurWanted, setBlurWanted } from '../camera.ts';
import { BlurChoice } from './blur-choice.tsx';

test('the choice shows the setting, also when it is changed elsewhere', async () => {
  await act(async () => render(<BlurChoice />));
  const box = await screen.findByRole<HTMLInputElement>('checkbox');
  fireEvent.click(box);
  expect([box.checked, isBlurWanted()]).toEqual([true, true]);
  act(() => setBlurWanted(false));
  expect(box.checked).toBe(false);
});
