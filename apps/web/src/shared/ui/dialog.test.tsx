import { act, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Dialog } from './dialog.tsx';

interface PageProps {
  readonly hasButton: boolean;
  readonly isOpen: boolean;
}

/** A page with the button that had the focus, and a window over it. */
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

/** Shows the page with the focus on its button, then as it is step by step. */
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

test('a window leaves the focus to the browser, which gives it back, if what had it stands', async () => {
  await showInTurn([
    { hasButton: true, isOpen: true },
    { hasButton: true, isOpen: false },
  ]);
  expect(document.activeElement).not.toBe(screen.getByRole('heading', { level: 1 }));
});
