import { type BoardVote, RoomId, UserId } from '@mogakgong/contract';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { prefetchMenus } from '../../shared/ui/menu.tsx';
import { Notices } from '../../shared/ui/notices.tsx';
import { useNotices } from '../../shared/ui/notify.ts';
import type { BoardRoom, BoardState } from './board-room.ts';
import { BoardTools } from './board-tools.tsx';
import type { BoardView } from './board-view.ts';
import { VoteBanner } from './vote-banner.tsx';

beforeAll(prefetchMenus);

afterEach(() => {
  vi.unstubAllGlobals();
  useNotices.setState({ dialogs: [], toasts: [] });
});

const [self, other] = [UserId.parse(1), UserId.parse(2)];
const vote: BoardVote = {
  id: 'a-vote',
  versionId: null,
  openedBy: other,
  endsAtMs: Date.now() + 42_000,
  agreed: [other],
  refused: [],
  needed: 2,
};

function viewWith(
  replacedBy: BoardView['replacedBy'],
  state: Partial<BoardState> = {},
): BoardView & { readonly board: Pick<BoardRoom, 'store'> } {
  const store = createStore(() => ({ vote: null, replacement: null, ...state }) as BoardState);
  const board = { roomId: RoomId.parse(7), userId: self, store } as BoardRoom;
  const names = new Map([[other, '이모각']]);
  return { board, names, blockedIds: new Set(), replacedBy, muteNote: null };
}

/** Answers the API, and keeps what was sent to it. */
function answering(answers: Readonly<Record<string, unknown>>) {
  const sent: (readonly [path: string, body: unknown])[] = [];
  vi.stubGlobal('fetch', async (target: string, init: { body?: string }) => {
    const { pathname } = new URL(target, window.location.href);
    sent.push([pathname, init.body ? JSON.parse(init.body) : null]);
    const key = Object.keys(answers).find((path) => pathname.endsWith(path));
    return key ? Response.json(answers[key]) : new Response(null, { status: 404 });
  });
  return sent;
}

async function show(content: React.ReactNode): Promise<void> {
  await act(async () => {
    render(
      <Suspense>
        {content}
        <Notices />
      </Suspense>,
    );
  });
}
const showTools = (view: BoardView) =>
  show(
    <BoardTools
      view={view}
      isList={false}
      isWide={false}
      onToggleList={vi.fn()}
      onToggleWide={vi.fn()}
      surface={() => null}
    />,
  );
const press = async (name: string | RegExp, role = 'button') =>
  fireEvent.click(await screen.findByRole(role, { name }));

test('a vote says what it is about, how long it lasts and what was said, and takes an answer', async () => {
  const answered = { ...vote, agreed: [other], refused: [self] };
  const sent = answering({ '/board/vote': { vote: answered } });
  const view = viewWith('vote', { vote });
  await show(<VoteBanner view={view} />);
  const banner = await screen.findByRole('region', { name: '투표' });
  expect(banner.textContent).toContain('이모각님이 화이트보드를 비우자고 해요.');
  expect(banner.textContent).toMatch(/찬성 1명 · 반대 0명 · 2명이 찬성하면.*0:4[0-3] 남음/u);
  await press('반대');
  await vi.waitFor(() => expect(banner.textContent).toContain('반대 1명'));
  expect(sent).toEqual([['/api/study-rooms/7/board/vote', { voteId: 'a-vote', agrees: false }]]);
  expect(screen.getByRole('button', { name: '반대' }).getAttribute('aria-pressed')).toBe('true');
});

test('everybody learns how a vote ended', async () => {
  const view = viewWith('vote', { vote });
  await show(<VoteBanner view={view} />);
  act(() => view.board.store.setState({ vote: null }));
  expect(screen.queryByRole('region', { name: '투표' })).toBeNull();
  await screen.findByText(/그대로 두었어요/u, {}, { timeout: 3_000 });
  act(() => view.board.store.setState({ vote: { ...vote, id: 'next' } }));
  act(() => view.board.store.setState({ vote: null }));
  act(() => view.board.store.setState({ replacement: { by: null } }));
  await screen.findByText(/과반이 찬성해서/u);
});

test('where all decide, emptying asks first and says that a vote opens', async () => {
  const sent = answering({ '/board/replace': { vote } });
  const view = viewWith('vote');
  await showTools(view);
  await press('화이트보드 메뉴');
  await press('화이트보드 비우기', 'menuitem');
  const dialog = await screen.findByRole('alertdialog', { name: /제안할까요/u });
  expect(dialog.textContent).toContain('60초');
  expect(sent).toEqual([]);
  await press('투표 열기');
  await vi.waitFor(() => expect(view.board.store.getState().vote).toEqual(vote));
  expect(sent).toEqual([['/api/study-rooms/7/board/replace', { versionId: null }]]);
});

test('an earlier version is chosen by its time and restored', async () => {
  const takenAt = '2026-11-22T05:04:00.000Z';
  const sent = answering({
    '/board/versions': { versions: [{ id: 5, takenAt, elements: 3 }] },
    '/board/replace': { vote: null },
  });
  await showTools(viewWith('self'));
  await press('화이트보드 메뉴');
  await press('이전 상태', 'menuitem');
  expect((await screen.findByRole('listitem')).textContent).toContain('그림과 글 3개');
  await press(/상태로 되돌리기$/u);
  await screen.findByRole('alertdialog', { name: '이 상태로 되돌릴까요?' });
  fireEvent.click(screen.getAllByRole('button', { name: '되돌리기' }).at(-1) as HTMLElement);
  await screen.findByText('이전 상태로 되돌렸어요.');
  expect(sent.at(-1)).toEqual(['/api/study-rooms/7/board/replace', { versionId: 5 }]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('guests of a host keep copies, and are offered nothing that only the host may do', async () => {
  const copy = { id: 1, name: '', copiedAt: '2026-11-22T05:04:00.000Z', elements: 3 };
  const sent = answering({ '/board/copies': copy });
  await showTools(viewWith('host'));
  await press('화이트보드 메뉴');
  expect(screen.queryByRole('menuitem', { name: '화이트보드 비우기' })).toBeNull();
  expect(screen.queryByRole('menuitem', { name: '이전 상태' })).toBeNull();
  await press('사본 보관하기', 'menuitem');
  await screen.findByText('사본을 보관했어요. 나만 볼 수 있어요.');
  expect(sent).toEqual([['/api/study-rooms/7/board/copies', null]]);
});
