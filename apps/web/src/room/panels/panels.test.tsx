import { RoomId } from '@mogakgong/contract';
import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { render } from '../../../testing/render.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { PanelButton, usePanels } from './panels.tsx';

/** Panels none of which could be loaded, and another element to focus. */
function Bar() {
  const panels = usePanels(RoomId.parse(1));
  return (
    <>
      <PanelButton panels={panels} panel="desk">
        내 책상
      </PanelButton>
      <input aria-label="elsewhere" />
    </>
  );
}

function openPanel() {
  render(<Bar />);
  const button = screen.getByRole('button', { name: '내 책상' });
  fireEvent.click(button);
  expect(button.getAttribute('aria-expanded')).toBe('true');
  return button;
}

test('Escape closes a panel wherever the focus is, also one that could not be loaded; the focus goes back to its button', () => {
  const button = openPanel();
  const elsewhere = screen.getByLabelText('elsewhere');
  elsewhere.focus();
  fireEvent.keyDown(elsewhere, { key: 'Escape', isComposing: true });
  expect(button.getAttribute('aria-expanded')).toBe('true');
  fireEvent.keyDown(elsewhere, { key: 'Escape' });
  expect(button.getAttribute('aria-expanded')).toBe('false');
  expect(document.activeElement).toBe(button);
});

test('Escape in a window above a panel leaves it open', () => {
  const button = openPanel();
  render(<Dialog title="창" onClose={vi.fn()} />);
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
  expect(button.getAttribute('aria-expanded')).toBe('true');
});
