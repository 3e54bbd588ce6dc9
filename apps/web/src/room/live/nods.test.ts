import { errors, type Member, RoomId, sendNod, UserId } from '@mogakgong/contract';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { refusal } from '../../../testing/fake-api.ts';
import { chooseLanguage } from '../../shared/i18n/texts.ts';
import { notify } from '../../shared/ui/notify.ts';
import { nodToNeighbour, receiveNod } from './nods.ts';
import { useRoomView } from './room-view.ts';

const neighbour = { userId: UserId.parse(2), name: '지우' };
const roomId = RoomId.parse(3);
const fetchMock = vi.fn<typeof fetch>();
const lastToast = () => notify.state().toasts.at(-1);

beforeAll(() => chooseLanguage('ko'));
beforeEach(() => void vi.stubGlobal('fetch', fetchMock.mockReset()));

test('a nod goes to one neighbour in the learner’s room', async () => {
  fetchMock.mockResolvedValueOnce(Response.json({ toUserId: 2 }));
  await nodToNeighbour(roomId, neighbour);
  const [address, request] = fetchMock.mock.calls[0] ?? [];
  expect(address).toBe(sendNod.path.replace(':roomId', '3'));
  expect(JSON.parse(String(request?.body))).toEqual({ toUserId: 2 });
  expect(lastToast()?.text).toBe('지우님에게 인사했어요.');
});

test('a nod that the server refuses says why', async () => {
  fetchMock.mockResolvedValueOnce(refusal('tooManyRequests'));
  await nodToNeighbour(roomId, neighbour);
  expect(lastToast()).toMatchObject({ text: errors.tooManyRequests.ko, tone: 'bad' });
});

const members = [
  { userId: UserId.parse(2), nickname: '지우' },
  { userId: UserId.parse(4), nickname: '하나' },
] as Member[];
const room = { members, hidden: new Set<UserId>() };
const nodding = () => useRoomView.getState().nodding;
const toastTexts = () => notify.state().toasts.map(({ text }) => text);

describe('a received nod', () => {
  beforeEach(() => {
    for (const { id } of notify.state().toasts) notify.dismissToast(id);
    useRoomView.setState({ nodding: null });
  });

  test('moves its sender’s lamp for a moment; of many at a time one is shown as a toast', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    await receiveNod(UserId.parse(2), room);
    expect(nodding()).toBe(2);
    vi.advanceTimersByTime(3_000);
    expect(nodding()).toBeNull();
    await receiveNod(UserId.parse(4), room);
    expect(nodding()).toBe(4);
    expect(toastTexts()).toEqual(['지우님이 인사했어요.']);
    vi.advanceTimersByTime(2_000);
    await receiveNod(UserId.parse(4), room);
    expect(toastTexts().at(-1)).toBe('하나님이 인사했어요.');
  });

  test.each([
    ['a hidden learner', { ...room, hidden: new Set([UserId.parse(2)]) }, true],
    ['an absent learner', { ...room, members: [] }, true],
    ['anybody, where the learner wants none', room, false],
  ])('from %s does nothing', async (_, where, showsNods) => {
    useRoomView.setState({ showsNods });
    await receiveNod(UserId.parse(2), where);
    useRoomView.setState({ showsNods: true });
    expect([nodding(), toastTexts()]).toEqual([null, []]);
  });
});
