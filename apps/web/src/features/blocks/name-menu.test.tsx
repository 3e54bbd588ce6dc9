import { blockUser, errors, getBlocks, UserId, unblockUser } from '@mogakgong/contract';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { refusal } from '../../../testing/fake-api.ts';
import { render } from '../../../testing/render.tsx';
import { Notices } from '../../shared/ui/notices.tsx';
import { loadBlocks, setBlockedIds, useBlockedIds } from './blocks.ts';
import { NameMenu } from './name-menu.tsx';

const ME = UserId.parse(1);
const OTHER = UserId.parse(2);
const THIRD = UserId.parse(3);
const BLOCKED_KEY = 'mogakgong.blocked';
const fetchMock = vi.fn<typeof fetch>();
const onReport = vi.fn();
const onNod = vi.fn();
const onFriend = vi.fn();

function Blocked({ userId }: { readonly userId: UserId }) {
  return <p>{JSON.stringify([...useBlockedIds(userId)])}</p>;
}

beforeEach(() => {
  setBlockedIds(ME, []);
  vi.stubGlobal('fetch', fetchMock.mockReset());
  render(
    <>
      <NameMenu
        selfId={ME}
        userId={OTHER}
        name="서준"
        onReport={onReport}
        onNod={onNod}
        onFriend={onFriend}
      />
      <Blocked userId={ME} />
      <Blocked userId={UserId.parse(9)} />
      <Notices />
    </>,
  );
});

const choose = (name: string) => {
  fireEvent.click(screen.getByRole('button', { name: '서준 메뉴' }));
  fireEvent.click(screen.getByRole('menuitem', { name }));
};
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const dialog = () => screen.findByRole('alertdialog', { name: '서준님을 차단할까요?' });

test('a block is confirmed first: the dialog says what happens and how to undo it', async () => {
  choose('차단하기');
  expect((await dialog()).textContent).toContain(
    '서로의 화면, 이름, 타이머, 채팅이 보이지 않아요.',
  );
  expect((await dialog()).textContent).toContain('설정 → 차단한 사람');
  press('취소');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(fetchMock).not.toHaveBeenCalled();
});

test('a name blocks and unblocks at the server, and this browser remembers it', async () => {
  choose('차단하기');
  await dialog();
  fetchMock.mockResolvedValueOnce(Response.json({ blockedIds: [2] }));
  press('차단하기');
  expect(await screen.findByText('[2]')).toBeTruthy();
  expect(fetchMock).toHaveBeenLastCalledWith(
    blockUser.path.replace(':blockedId', '2'),
    expect.objectContaining({ method: 'PUT' }),
  );
  expect(localStorage.getItem(BLOCKED_KEY)).toContain('"blockedIds":[2]');
  // The list belongs to one learner, not to the next one at this browser.
  expect(screen.getByText('[]')).toBeTruthy();

  fetchMock.mockResolvedValueOnce(Response.json({ blockedIds: [] }));
  choose('차단 해제');
  await waitFor(() => expect(screen.getAllByText('[]')).toHaveLength(2));
  expect(fetchMock).toHaveBeenLastCalledWith(
    unblockUser.path.replace(':blockedId', '2'),
    expect.objectContaining({ method: 'DELETE' }),
  );
});

test('the toast after a block undoes it', async () => {
  choose('차단하기');
  await dialog();
  fetchMock.mockResolvedValueOnce(Response.json({ blockedIds: [2] }));
  press('차단하기');
  expect(await screen.findByText('서준님을 차단했어요.')).toBeTruthy();
  fetchMock.mockResolvedValueOnce(Response.json({ blockedIds: [] }));
  press('되돌리기');
  await waitFor(() => expect(screen.getAllByText('[]')).toHaveLength(2));
  expect(screen.queryByText('서준님을 차단했어요.')).toBeNull();
  expect(screen.getByText('서준님의 차단을 해제했어요.')).toBeTruthy();
});

test('a failed block changes nothing and gives the reason', async () => {
  choose('차단하기');
  await dialog();
  fetchMock.mockResolvedValueOnce(refusal('tooManyBlocks'));
  press('차단하기');
  const alert = { name: errors.tooManyBlocks.ko };
  expect(await screen.findByRole('alertdialog', alert)).toBeTruthy();
  expect(screen.getAllByText('[]')).toHaveLength(2);
});

test('a name offers a nod and a friend request; a blocked one does not', async () => {
  choose('인사하기');
  expect(onNod).toHaveBeenCalledOnce();
  choose('친구 요청하기');
  expect(onFriend).toHaveBeenCalledOnce();
  act(() => setBlockedIds(ME, [OTHER]));
  fireEvent.click(screen.getByRole('button', { name: '서준 메뉴' }));
  expect(screen.queryByRole('menuitem', { name: '인사하기' })).toBeNull();
  expect(screen.queryByRole('menuitem', { name: '친구 요청하기' })).toBeNull();
});

test('a person whose name is hidden by a block can be unblocked too', async () => {
  setBlockedIds(ME, [THIRD]);
  render(
    <NameMenu
      selfId={ME}
      userId={THIRD}
      name=""
      onReport={onReport}
      onNod={onNod}
      onFriend={onFriend}
    />,
  );
  fireEvent.click(screen.getByRole('button', { name: '차단한 사람 메뉴' }));
  fetchMock.mockResolvedValueOnce(Response.json({ blockedIds: [] }));
  fireEvent.click(screen.getByRole('menuitem', { name: '차단 해제' }));
  expect(await screen.findByText('차단을 해제했어요.')).toBeTruthy();
});

test('the list comes from the server; without an answer the remembered one stays', async () => {
  fetchMock.mockResolvedValueOnce(Response.json({ blockedIds: [4, 5] }));
  await loadBlocks(ME);
  expect(fetchMock.mock.calls[0]?.[0]).toBe(getBlocks.path);
  expect(await screen.findByText('[4,5]')).toBeTruthy();
  fetchMock.mockRejectedValueOnce(new TypeError('no network'));
  await loadBlocks(ME);
  expect(screen.getByText('[4,5]')).toBeTruthy();
});
