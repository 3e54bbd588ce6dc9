import { type BoardElement, RoomId, UserId } from '@mogakgong/contract';
import { act, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { render } from '../../../testing/render.tsx';
import { boardTexts } from '../../shared/i18n/namespaces.ts';
import { currentLanguage } from '../../shared/i18n/texts.ts';
import type { BoardRoom } from './board-room.ts';
import type { BoardState } from './board-state.ts';
import { BoardTextList } from './board-text-list.tsx';
import type { BoardView } from './board-view.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));

const textElement = (id: string, text: string) =>
  ({ id, type: 'text', text, x: 0, y: Number(id) * 50, height: 20 }) as unknown as BoardElement;

it('shows changes once a second', async () => {
  const elements = ['1', '2'].map((id) => [id, textElement(id, `글 ${id}`)] as const);
  const store = createStore(() => ({ elements: new Map(elements) }) as unknown as BoardState);
  const board = { roomId: RoomId.parse(7), userId: UserId.parse(1), store } as BoardRoom;
  const view: BoardView = {
    board,
    names: new Map(),
    mayClear: false,
    blockedIds: new Set(),
    muteNote: null,
  };
  await boardTexts(currentLanguage());
  await act(async () => {
    render(<BoardTextList view={view} />);
  });
  const texts = () =>
    screen.getAllByRole('listitem').map(({ firstChild }) => firstChild?.textContent);
  expect(texts()).toEqual(['글 1', '글 2']);
  for (const text of ['고침', '다시 고침']) {
    const changed = new Map([...elements, ['2', textElement('2', text)]]);
    act(() => store.setState({ elements: changed }));
    expect(texts()).toEqual(['글 1', '글 2']);
  }
  act(() => void vi.advanceTimersByTime(1_000));
  expect(texts()).toEqual(['글 1', '다시 고침']);
});
