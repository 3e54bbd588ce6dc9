import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { render } from '../../../testing/render.tsx';
import { PanelButton, usePanels } from './panels.tsx';

/** Panels none of which could be loaded. */
function Bar() {
  const panels = usePanels();
  return (
    <PanelButton panels={panels} panel="desk">
      내 책상
    </PanelButton>
  );
}

test('Escape closes a panel that could not be loaded; the focus goes back to its button', () => {
  render(<Bar />);
  const button = screen.getByRole('button', { name: '내 책상' });
  fireEvent.click(button);
  expect(button.getAttribute('aria-expanded')).toBe('true');
  fireEvent.keyDown(document.body, { key: 'Escape', isComposing: true });
  expect(button.getAttribute('aria-expanded')).toBe('true');
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(button.getAttribute('aria-expanded')).toBe('false');
  expect(document.activeElement).toBe(button);
});
