import { UserId } from '@mogakgong/contract';
import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { logIn } from '../../../testing/log-in.ts';
import { queryClient } from '../../shared/api/query.ts';
import { untilIdle } from '../../shared/lib/until-idle.ts';
import { readOwnAgain } from './own-notices.ts';

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
afterEach(() => {
  queryClient.clear();
  vi.unstubAllGlobals();
});

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
  const cards = ['profile', 'titles', 'friends'].map((what) => shown(['learner', userId, what]));
  const others = [
    ['goal', userId, '2026-11-24'],
    ['subjects', userId],
    ['hosting', userId, 3],
  ].map(shown);
  const sanctions = shown(['sanctions', userId]);
  await vi.waitFor(() => expect(sanctions.load).toHaveBeenCalledTimes(1));
  readOwnAgain(userId, { isFirst, isOver: () => false });
  await vi.waitFor(() => {
    for (const { load } of [...cards, sanctions]) expect(load).toHaveBeenCalledTimes(2);
    for (const { load } of others) expect(load).toHaveBeenCalledTimes(loads);
    const addresses = asked.mock.calls.map(([address]) => address);
    expect(addresses).toEqual(
      expect.arrayContaining(['/api/blocks', '/api/user/stat/today-study-time']),
    );
  });
  for (const { stop } of [...cards, ...others, sanctions]) stop();
});

test('nothing is loaded for a room that was left meanwhile', async () => {
  const card = shown(['learner', userId, 'profile']);
  await vi.waitFor(() => expect(card.load).toHaveBeenCalledTimes(1));
  readOwnAgain(userId, { isFirst: false, isOver: () => true });
  await vi.waitFor(() => expect(asked).toHaveBeenCalled());
  await untilIdle();
  expect(card.load).toHaveBeenCalledTimes(1);
  card.stop();
});
