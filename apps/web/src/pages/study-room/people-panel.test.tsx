import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { PeoplePanel } from './people-panel.tsx';

function open() {
  const onClose = vi.fn();
  render(
    <>
      <input aria-label="elsewhere" />
      <PeoplePanel selfId={1} tiles={[]} members={null} ownClock={null} onClose={onClose} />
    </>,
  );
  return onClose;
}

test('the list of people takes the focus', () => {
  open();
  expect(document.activeElement).toBe(screen.getByRole('region', { name: '함께 있는 사람' }));
});

test('Escape closes it wherever the focus is', () => {
  const onClose = open();
  screen.getByLabelText('elsewhere').focus();
  fireEvent.keyDown(screen.getByLabelText('elsewhere'), { key: 'Escape', isComposing: true });
  expect(onClose).not.toHaveBeenCalled();
  fireEvent.keyDown(screen.getByLabelText('elsewhere'), { key: 'Escape' });
  expect(onClose).toHaveBeenCalledOnce();
});

test('Escape in a window above it leaves it open', () => {
  const onClose = open();
  render(<Dialog open title="창" onClose={vi.fn()} />);
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
  expect(onClose).not.toHaveBeenCalled();
});

test('a press beside it closes it', () => {
  const onClose = open();
  fireEvent.click(screen.getByTestId('panel-scrim'));
  expect(onClose).toHaveBeenCalledOnce();
});
