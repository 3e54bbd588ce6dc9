import { GroupId, UserId } from '@mogakgong/contract';
import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { logIn } from '../../../testing/log-in.ts';
import { learnerKey } from '../../shared/api/profile.ts';
import { queryClient } from '../../shared/api/query.ts';
import { untilIdle } from '../../shared/lib/until-idle.ts';
import { notify, useNotices } from '../../shared/ui/notify.ts';
import { readOwnAgain, takeOwnNotice } from './live-notices.ts';

const userId = UserId.parse(1);
const asked = vi.fn<(address: string) => void>();

beforeEach(() => {
  asked.mockClear();
  logIn();
  vi.stubGlobal('fetch', async (address: string) => {
    asked(address);
    return Response.json({}, { status: 503 });
  });
});
afterEach(() => queryClient.clear());

/** Renders a query of the key; returns how often it was loaded. */
function shown(queryKey: readonly unknown[]) {
  const load = vi.fn(async () => 'loaded');
  const stop = new QueryObserver(queryClient, { queryKey, queryFn: load }).subscribe(() => {});
  return { load, stop };
}

test.each([
  [true, 1],
  [false, 2],
])('after a gap all that notices carry is read again (first: %s)', async (isFirst, loads) => {
  const own = [
    ...['profile', 'titles', 'friends', 'sanctions', 'subjects'].map((what) => [what]),
    ['hosting', 3],
  ].map((key) => shown([...learnerKey(userId), ...key]));
  const goal = shown(['goal', userId, '2026-11-24']);
  await vi.waitFor(() => expect(goal.load).toHaveBeenCalledTimes(1));
  readOwnAgain(userId, { isFirst, isOver: () => false });
  await vi.waitFor(() => {
    for (const { load } of own) expect(load).toHaveBeenCalledTimes(2);
    expect(goal.load).toHaveBeenCalledTimes(loads);
    const addresses = asked.mock.calls.map(([address]) => address);
    expect(addresses).toEqual(
      expect.arrayContaining(['/api/blocks', '/api/user/stat/today-study-time']),
    );
  });
  for (const { stop } of [...own, goal]) stop();
});

test('nothing is loaded for a room that was left meanwhile', async () => {
  const card = shown([...learnerKey(userId), 'profile']);
  await vi.waitFor(() => expect(card.load).toHaveBeenCalledTimes(1));
  readOwnAgain(userId, { isFirst: false, isOver: () => true });
  await vi.waitFor(() => expect(asked).toHaveBeenCalled());
  await untilIdle();
  expect(card.load).toHaveBeenCalledTimes(1);
  card.stop();
});

test.each([
  [['subjects'], 'subjects', 2],
  [['hosting', 3], 'hosting', 2],
  [['sanctions'], 'subjects', 1],
  [['profile'], 'of a newer server', 1],
])('%j is read again once %s has changed: %i reads', async (key, what, loads) => {
  const { load, stop } = shown([...learnerKey(userId), ...key]);
  const untilLoaded = () => vi.waitFor(() => expect(queryClient.isFetching()).toBe(0));
  await untilLoaded();
  takeOwnNotice(userId, { kind: 'changed', what });
  await untilLoaded();
  expect(load).toHaveBeenCalledTimes(loads);
  stop();
});

test.each([
  [{ kind: 'nudge', nickname: '서연' }, /서연님이 ‘새벽 수능반’에서 콕 찔렀어요/u],
  [{ kind: 'groupLed', nickname: '서연' }, /서연님이 ‘새벽 수능반’의 그룹장을 맡겼어요/u],
  [{ kind: 'groupSession', startsAtMs: Date.now() }, /‘새벽 수능반’ 모임이 곧 시작해요/u],
] as const)('a toast leads to the group: %j', async (news, text) => {
  useNotices.setState({ dialogs: [], toasts: [] });
  const groupId = GroupId.parse(7);
  takeOwnNotice(userId, { ...news, groupId, groupName: '새벽 수능반' });
  await vi.waitFor(() =>
    expect(notify.state().toasts).toMatchObject([
      { text: expect.stringMatching(text), action: { label: '그룹 보기' } },
    ]),
  );
  notify.state().toasts[0]?.action?.onPress();
  expect(window.location.pathname).toBe('/groups/7');
});
