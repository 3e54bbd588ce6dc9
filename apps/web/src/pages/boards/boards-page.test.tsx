import { act, fireEvent, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { logIn } from '../../../testing/log-in.ts';
import { Notices } from '../../shared/ui/notices.tsx';
import { BoardsPage } from './boards-page.tsx';

afterEach(() => vi.unstubAllGlobals());

const copy = { id: 3, name: 'TOEIC 900', copiedAt: '2026-11-22T05:04:00.000Z', elements: 12 };

async function show(copies: readonly object[]) {
  const left = [...copies];
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (target: string, { method }: { method: string }) => {
    const { pathname } = new URL(target, window.location.href);
    if (!pathname.startsWith('/api/board-copies')) return Response.json({});
    sent.push(`${method} ${pathname}`);
    if (method === 'DELETE') left.length = 0;
    return Response.json(method === 'DELETE' ? {} : { copies: left });
  });
  logIn();
  await act(async () => {
    render(
      <Suspense>
        <BoardsPage />
        <Notices />
      </Suspense>,
    );
  });
  await screen.findByRole('heading', { level: 1 });
  return sent;
}

test('copies are listed by room and time, opened by a link, and deleted after a confirmation', async () => {
  const sent = await show([copy]);
  const row = await screen.findByRole('listitem');
  expect(row.textContent).toMatch(/TOEIC 900.*2026.*보관.*12개/u);
  const link = screen.getByRole('link', { name: /^열기.*TOEIC 900/u });
  expect(link.getAttribute('href')).toBe('/boards/3');
  fireEvent.click(screen.getByRole('button', { name: /^삭제.*TOEIC 900/u }));
  await screen.findByText(/되돌릴 수 없어요/u);
  expect(sent).toEqual(['GET /api/board-copies']);
  fireEvent.click(screen.getByRole('button', { name: '삭제' }));
  await screen.findByText('아직 보관한 사본이 없어요.');
  expect(sent).toContain('DELETE /api/board-copies/3');
});
