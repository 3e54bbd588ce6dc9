import { RoomId, UserId } from '@mogakgong/contract';
import { act, renderHook, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { logOut, startSession, useSession } from '../../features/auth/session.ts';
import { readAccessToken, storeAccessToken } from '../../shared/api/index.ts';
import { useRoomSession } from './use-room-session.ts';

let stopSession = () => {};
beforeEach(() => {
  stopSession = startSession();
});
afterEach(() => {
  stopSession();
  vi.unstubAllGlobals();
});

test('a log-out gives up the seat first, while the API still knows who asks', async () => {
  const called: { path: string; authorization: string | null; keepalive?: boolean }[] = [];
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    const { pathname: path } = new URL(address, 'http://localhost');
    const authorization = new Headers(init.headers).get('authorization');
    called.push({ path, authorization, keepalive: init.keepalive === true });
    return new Promise<Response>(() => undefined);
  });
  window.history.replaceState({ seated: true }, '', '/studyroom/3');
  storeAccessToken('t');
  useSession.setState({ isLoggedIn: true, token: 't' });
  const stay = { userId: UserId.parse(7), roomId: RoomId.parse(3), name: '김모각' };
  const { result, unmount } = renderHook(() => useRoomSession(stay));
  await waitFor(() => expect(result.current).not.toBeNull());
  called.length = 0;

  act(() => logOut());
  expect(readAccessToken()).toBeNull();
  window.history.replaceState(null, '', '/login');
  unmount();
  expect(called).toEqual([
    { path: '/api/study-rooms/leave', authorization: 'Bearer t', keepalive: true },
    { path: '/api/auth/logout', authorization: 'Bearer t', keepalive: true },
  ]);
});
