import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { Avatar } from './avatar.tsx';
import { Button } from './button.tsx';
import { Checkbox } from './checkbox.tsx';
import { Dialog } from './dialog.tsx';
import { StatusDot } from './status-dot.tsx';
import { TextField } from './text-field.tsx';

it('a loading button keeps its label, says that it is busy and ignores presses', () => {
  const onClick = vi.fn();
  const { rerender } = render(<Button onClick={onClick}>저장</Button>);
  fireEvent.click(screen.getByRole('button', { name: '저장' }));
  rerender(
    <Button loading onClick={onClick}>
      저장
    </Button>,
  );
  const button = screen.getByRole('button', { name: '저장' });
  fireEvent.click(button);
  expect(button.getAttribute('aria-busy')).toBe('true');
  expect(onClick).toHaveBeenCalledOnce();
});

it('a loading submit button does not send its form again', () => {
  const onSubmit = vi.fn((event: { preventDefault(): void }) => event.preventDefault());
  render(
    <form onSubmit={onSubmit}>
      <Button type="submit" loading>
        가입
      </Button>
    </form>,
  );
  fireEvent.click(screen.getByRole('button', { name: '가입' }));
  expect(onSubmit).not.toHaveBeenCalled();
});

it('a field is named by its label, and its error is announced and tied to it', () => {
  const { rerender } = render(<TextField label="이름" hint="1~20자" />);
  const field = screen.getByRole('textbox', { name: '이름' });
  expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    '1~20자',
  );
  rerender(<TextField label="이름" hint="1~20자" error="이미 사용 중인 이름이에요." />);
  expect(field.getAttribute('aria-invalid')).toBe('true');
  const alert = screen.getByRole('alert');
  expect(alert.textContent).toBe('이미 사용 중인 이름이에요.');
  expect(field.getAttribute('aria-describedby')).toBe(alert.id);
});

it('a password can be shown and hidden again without losing its text', () => {
  render(<TextField label="비밀번호" type="password" />);
  const field = screen.getByLabelText<HTMLInputElement>('비밀번호');
  fireEvent.change(field, { target: { value: 'quiet-lamp-7' } });
  fireEvent.click(screen.getByRole('button', { name: '비밀번호 보기' }));
  expect(field.type).toBe('text');
  fireEvent.click(screen.getByRole('button', { name: '비밀번호 숨기기' }));
  expect(field.type).toBe('password');
  expect(field.value).toBe('quiet-lamp-7');
});

it('a check box is toggled by its label', () => {
  render(<Checkbox label="만 14세 이상입니다." />);
  fireEvent.click(screen.getByText('만 14세 이상입니다.'));
  expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(true);
});

it('a dialog opens as a modal one and asks its owner to close it', () => {
  const onClose = vi.fn();
  const { unmount } = render(<Dialog title="신고" onClose={onClose} />);
  const dialog = screen.getByRole<HTMLDialogElement>('dialog', { name: '신고' });
  expect(dialog.open).toBe(true);
  fireEvent.click(dialog);
  expect(onClose).toHaveBeenCalledOnce();
  unmount();
  expect(dialog.open).toBe(false);
});

it('a picture that cannot be loaded is replaced by the first letter of the name', () => {
  const { container } = render(<Avatar name="민지" image="/files/gone.webp" />);
  const picture = container.querySelector('img');
  expect(picture).not.toBeNull();
  if (picture) fireEvent.error(picture);
  expect(container.querySelector('img')).toBeNull();
  expect(container.textContent).toBe('민');
});

it('every status has its own shape beside its colour', () => {
  const statuses = ['idle', 'focus', 'pause', 'away', 'ended'] as const;
  const shapes = statuses.map(
    (status) => render(<StatusDot status={status} />).container.querySelector('svg')?.innerHTML,
  );
  expect(new Set(shapes).size).toBe(statuses.length);
});
