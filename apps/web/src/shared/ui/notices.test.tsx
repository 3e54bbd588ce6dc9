import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { Notices } from './notices.tsx';
import { notify } from './notify.ts';

it('asks in a dialog named by its title, and answers with the button that was pressed', async () => {
  render(<Notices />);
  let answer: Promise<boolean> | undefined;
  act(() => {
    answer = notify.dialog({ title: '나가기', text: '방에서 나갈까요?', cancelLabel: '취소' });
  });
  const dialog = screen.getByRole('alertdialog', { name: '나가기' });
  expect(dialog.textContent).toContain('방에서 나갈까요?');
  expect((dialog as HTMLDialogElement).open).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: '확인' }));
  await expect(answer).resolves.toBe(true);
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
});

it('answers no to cancel and to Escape', async () => {
  render(<Notices />);
  const answers: Promise<boolean>[] = [];
  act(() => void answers.push(notify.dialog({ text: '하나', cancelLabel: '취소' })));
  fireEvent.click(screen.getByRole('button', { name: '취소' }));
  act(() => void answers.push(notify.dialog({ text: '둘' })));
  fireEvent(screen.getByRole('alertdialog'), new Event('cancel', { cancelable: true }));
  expect(await Promise.all(answers)).toEqual([false, false]);
});

it('shows one dialog after the other, and never the same one twice', async () => {
  render(<Notices />);
  act(() => {
    void notify.dialog({ text: '처음' });
    void notify.dialog({ text: '다음' });
  });
  expect(screen.getByRole('heading').textContent).toBe('처음');
  await expect(notify.dialog({ text: '처음' })).resolves.toBe(false);
  expect(screen.getByRole('alertdialog').textContent).toContain('처음');
  fireEvent.click(screen.getByRole('button', { name: '확인' }));
  await waitFor(() => expect(screen.getByRole('alertdialog').textContent).toContain('다음'));
  fireEvent.click(screen.getByRole('button', { name: '확인' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
});

it('shows a toast in a status region and removes it after some seconds', () => {
  vi.useFakeTimers();
  render(<Notices />);
  act(() => notify.toast('저장했습니다.', 'good'));
  act(() => notify.toast('저장했습니다.', 'good'));
  expect(screen.getByRole('status').textContent).toBe('저장했습니다.');
  act(() => void vi.advanceTimersByTime(10_000));
  expect(screen.getByRole('status').textContent).toBe('');
});

it('keeps a toast while the focus or the pointer is on it', () => {
  vi.useFakeTimers();
  render(<Notices />);
  act(() => notify.toast('저장했어요.'));
  const pass = () => act(() => void vi.advanceTimersByTime(10_000));
  act(() => screen.getByRole('button', { name: '닫기' }).focus());
  pass();
  expect(screen.getByRole('status').textContent).toBe('저장했어요.');
  act(() => screen.getByRole('button', { name: '닫기' }).blur());
  fireEvent.pointerMove(screen.getByText('저장했어요.'));
  pass();
  expect(screen.getByRole('status').textContent).toBe('저장했어요.');
  fireEvent.pointerLeave(screen.getByText('저장했어요.'));
  pass();
  expect(screen.getByRole('status').textContent).toBe('');
});

it('a dialog moves the focus to the heading when the former element is gone', async () => {
  const page = (hasButton: boolean) => (
    <>
      <main>
        <h1>스터디룸</h1>
        {hasButton && <button type="button">휴식</button>}
      </main>
      <Notices />
    </>
  );
  const { rerender } = render(page(true));
  screen.getByRole('button', { name: '휴식' }).focus();
  act(() => void notify.dialog({ text: '방이 닫혔어요.' }));
  rerender(page(false));
  fireEvent.click(await screen.findByRole('button', { name: '확인' }));
  await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
});

it('does not keep a toast that appears under a resting pointer', () => {
  vi.useFakeTimers();
  render(<Notices />);
  act(() => notify.toast('저장했어요.'));
  fireEvent.pointerEnter(screen.getByText('저장했어요.'));
  act(() => void vi.advanceTimersByTime(10_000));
  expect(screen.getByRole('status').textContent).toBe('');
});

it('lets a toast be closed at once', () => {
  render(<Notices />);
  act(() => notify.toast('연결이 끊겼습니다.', 'bad'));
  fireEvent.click(screen.getByRole('button', { name: '닫기' }));
  expect(screen.getByRole('status').textContent).toBe('');
});

it('removes a toast when its page is left', () => {
  window.history.replaceState(null, '', '/join');
  render(<Notices />);
  act(() => notify.toast('먼저 로그인해주세요.'));
  act(() => {
    window.history.pushState(null, '', '/email-login');
    notify.toast('회원가입이 완료되었습니다.', 'good');
  });
  expect(screen.getByRole('status').textContent).toBe('회원가입이 완료되었습니다.');
  act(() => window.history.pushState(null, '', '/main'));
  expect(screen.getByRole('status').textContent).toBe('');
});

it('gives the focus back when its button is pressed: to the former element, or to the heading', async () => {
  const { container } = render(
    <>
      <main>
        <h1>스터디룸</h1>
        <button type="button">휴식</button>
      </main>
      <Notices />
    </>,
  );
  const pressAction = () => {
    const action = screen.getByRole('button', { name: '함께하기' });
    act(() => action.focus());
    fireEvent.click(action);
  };
  const offer = () =>
    act(() => notify.toast('뽀모도로', 'plain', { label: '함께하기', onPress: () => undefined }));
  offer();
  pressAction();
  await waitFor(() => expect(document.activeElement).toBe(container.querySelector('h1')));
  screen.getByRole('button', { name: '휴식' }).focus();
  offer();
  pressAction();
  await waitFor(() => expect(document.activeElement?.textContent).toBe('휴식'));
});
