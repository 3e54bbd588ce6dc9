import { type Member, type RoomAbout, RoomId, UserId } from '@mogakgong/contract';
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { render } from '../../../testing/render.tsx';
import { Notices } from '../../shared/ui/notices.tsx';
import { useNotices } from '../../shared/ui/notify.ts';
import { announceBoard } from './board-clearing.ts';
import type { BoardRoom } from './board-room.ts';
import type { BoardState } from './board-state.ts';
import { BoardTools } from './board-tools.tsx';
import type { BoardView } from './board-view.ts';

afterEach(() => useNotices.setState({ dialogs: [], toasts: [] }));

const [self, other] = [UserId.parse(1), UserId.parse(2)];
const roomId = RoomId.parse(7);
const host = { hostId: other } as RoomAbout;
const members = [{ userId: other, nickname: '이모각' }] as Member[];

/** Answers the API, and keeps what was sent to it. */
function answering(reply: () => Response) {
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (target: string, { method }: { method: string }) => {
    sent.push(`${method} ${new URL(target, window.location.href).pathname}`);
    return reply();
  });
  return sent;
}

async function show(content: React.ReactNode): Promise<void> {
  await act(async () => {
    render(
      <>
        {content}
        <Notices />
      </>,
    );
  });
}

function showTools(mayClear: boolean): Promise<void> {
  const store = createStore(() => ({}) as BoardState);
  const board = { roomId, userId: self, store } as BoardRoom;
  const view: BoardView = {
    ...{ board, mayClear, names: new Map(), blockedIds: new Set(), muteNote: null },
  };
  return show(
    <BoardTools
      view={view}
      isList={false}
      isWide={false}
      onToggleList={vi.fn()}
      onToggleWide={vi.fn()}
      surface={() => null}
    />,
  );
}
const press = async (name: string | RegExp, role = 'button') =>
  fireEvent.click(await screen.findByRole(role, { name }));
const entries = () => screen.getAllByRole('menuitem').map(({ textContent }) => textContent);

test('clearing asks first, says that all are told, and offers to bring the board back', async () => {
  const sent = answering(() => Response.json({}));
  await showTools(true);
  await press('화이트보드 메뉴');
  await press('화이트보드 비우기', 'menuitem');
  const dialog = await screen.findByRole('alertdialog', { name: '화이트보드를 비울까요?' });
  expect(dialog.textContent).toMatch(/누가 비웠는지 모두에게.*24시간/u);
  expect(sent).toEqual([]);
  await press('비우기');
  await screen.findByText('화이트보드를 비웠어요.');
  await press('되살리기');
  await screen.findByText('화이트보드를 되살렸어요.');
  expect(sent).toEqual([
    'POST /api/study-rooms/7/board/clear',
    'POST /api/study-rooms/7/board/bring-back',
  ]);
});

test('the menu says so when there is nothing to bring back', async () => {
  const message = '되살릴 화이트보드가 없어요.';
  answering(() => Response.json({ error: 'nothingToBringBack', message }, { status: 404 }));
  await showTools(true);
  await press('화이트보드 메뉴');
  await press('비운 화이트보드 되살리기', 'menuitem');
  await screen.findByText(message);
});

test('the menu has few entries, and the others behind one', async () => {
  await showTools(true);
  await press('화이트보드 메뉴');
  await screen.findByRole('menu');
  expect(entries()).toEqual([
    'PNG 그림으로 저장',
    '비운 화이트보드 되살리기',
    '화이트보드 비우기',
    '더 보기',
  ]);
  await press('더 보기', 'menuitem');
  expect(entries()).toEqual([
    'SVG 그림으로 저장',
    '편집할 수 있는 파일로 저장',
    '그리기 단축키 보기',
  ]);
  expect(document.activeElement).toBe(screen.getAllByRole('menuitem')[0]);
  fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' });
  expect(screen.queryByRole('menu')).toBeNull();
  await press('화이트보드 메뉴');
  expect(entries()).toHaveLength(4);
});

test('guests of a host are offered nothing that only the host may do', async () => {
  await showTools(false);
  await press('화이트보드 메뉴');
  await screen.findByRole('menu');
  expect(entries()).toEqual(['PNG 그림으로 저장', '더 보기']);
});

test('everybody learns who cleared the board, and who brought it back', async () => {
  const sent = answering(() => Response.json({}));
  await show(null);
  const notice = { kind: 'board', roomId, by: other } as const;
  const room = { selfId: self, members, about: null };
  await act(() => announceBoard({ ...notice, what: 'cleared' }, room));
  await screen.findByText('이모각님이 화이트보드를 비웠어요.');
  await act(() => announceBoard({ ...notice, what: 'broughtBack' }, room));
  await screen.findByText('이모각님이 화이트보드를 되살렸어요.');
  // A block hides the name.
  await act(() =>
    announceBoard({ ...notice, what: 'cleared', by: null }, { ...room, about: host }),
  );
  await screen.findByText('다른 사람이 화이트보드를 비웠어요.');
  // Only where all may is it offered.
  await press('되살리기');
  await vi.waitFor(() => expect(sent).toEqual(['POST /api/study-rooms/7/board/bring-back']));
});
