import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Dialog } from './dialog.tsx';
import { Notices } from './notices.tsx';
import { notify } from './notify.ts';

interface PageProps {
  readonly hasButton: boolean;
  readonly isOpen: boolean;
}

/** A page with the focused button, and a dialog over it. */
function Page({ hasButton, isOpen }: PageProps) {
  return (
    <>
      <main>
        <h1>스터디룸에서 나왔어요</h1>
        {hasButton && <button type="button">휴식</button>}
      </main>
      {isOpen && <Dialog role="alertdialog" title="내보내졌어요" onClose={() => undefined} />}
    </>
  );
}

/** Shows the page with the focus on its button, then step by step. */
async function showInTurn(steps: readonly PageProps[]): Promise<void> {
  const { rerender } = render(<Page hasButton isOpen={false} />);
  screen.getByRole('button').focus();
  for (const step of steps) await act(async () => rerender(<Page {...step} />));
}

const GONE = { hasButton: false, isOpen: false };
const GONE_BEHIND = { hasButton: false, isOpen: true };

test.each([
  { when: 'before it opened', steps: [GONE, GONE_BEHIND, GONE] },
  { when: 'as it opened', steps: [GONE_BEHIND, GONE] },
  { when: 'while it was open', steps: [{ hasButton: true, isOpen: true }, GONE_BEHIND, GONE] },
])('a window gives the focus to the heading if what had it went $when', async ({ steps }) => {
  await showInTurn(steps);
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
});

test('a dialog leaves the focus to the browser, which gives it back if the former element exists', async () => {
  await showInTurn([
    { hasButton: true, isOpen: true },
    { hasButton: true, isOpen: false },
  ]);
  expect(document.activeElement).not.toBe(screen.getByRole('heading', { level: 1 }));
});

const windowNamed = (name: string) => screen.getByRole<HTMLDialogElement>('dialog', { name });

test('a dialog that the browser closed is opened again while it is shown', async () => {
  const { unmount } = render(<Dialog title="신고를 보내는 중" />);
  const shown = windowNamed('신고를 보내는 중');
  expect(shown.getAttribute('closedby')).toBe('none');
  for (let time = 0; time < 5; time += 1) {
    shown.close();
    await vi.waitFor(() => expect(shown.open).toBe(true));
  }
  unmount();
  expect(shown.open).toBe(false);
});

test('a closable dialog asks its owner on Escape', () => {
  const onClose = vi.fn();
  render(<Dialog title="사진" onClose={onClose} />);
  fireEvent(windowNamed('사진'), new Event('cancel', { cancelable: true }));
  expect(onClose).toHaveBeenCalledOnce();
});

afterEach(() => {
  for (const { id } of notify.state().toasts) act(() => notify.dismissToast(id));
});

test('toasts are in the top dialog, and in the page when that is gone', () => {
  const both = (
    <>
      <Dialog title="사진" />
      <Dialog title="비밀번호" />
    </>
  );
  const { rerender } = render(
    <>
      {both}
      <Notices />
    </>,
  );
  act(() => void notify.toast('저장하지 못했어요.', 'bad'));
  const textsOf = (name: string) => within(windowNamed(name)).getByRole('status').textContent;
  expect([textsOf('사진'), textsOf('비밀번호')]).toEqual(['', '저장하지 못했어요.']);
  rerender(
    <>
      {null}
      <Notices />
    </>,
  );
  expect(screen.getByRole('status').textContent).toBe('저장하지 못했어요.');
});
