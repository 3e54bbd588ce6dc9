import { errors, type FriendStanding } from '@mogakgong/contract';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startFakeApi } from '../../../testing/fake-api.ts';
import { logIn } from '../../../testing/log-in.ts';
import { useSession } from '../../features/auth/session.ts';
import { FriendLinkPage } from './friend-link-page.tsx';

const LINK = 'a-friend-link-of-twenty-and-more';
const owner = { userId: 2, nickname: '이모각', profileImage: 'default.jpg' };
const read = (standing: FriendStanding) => ({ '/api/friends/link/owner': { owner, standing } });

beforeEach(() => {
  sessionStorage.clear();
  useSession.setState({ isLoggedIn: false, token: null, user: null });
});
afterEach(() => vi.unstubAllGlobals());

async function show(address: string, answers: Record<string, unknown> = {}) {
  window.history.replaceState(null, '', address);
  const api = startFakeApi(answers);
  const view = await act(async () =>
    render(
      <Suspense>
        <FriendLinkPage />
      </Suspense>,
    ),
  );
  await screen.findByRole('heading', { level: 1 });
  return { ...api, ...view };
}

test('a visitor is led to log-in and sign-up without the secret, and sees whose link it is afterwards', async () => {
  const visit = await show(`/friends/link#${LINK}`);
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href') ?? '');
  expect(links).toContain('/login?next=%2Ffriends%2Flink');
  expect(links).toContain('/join?next=%2Ffriends%2Flink');
  expect(links.join()).not.toContain(LINK);
  expect(visit.asked).toEqual([]);
  visit.unmount();
  logIn();
  const { sent } = await show('/friends/link', read('none'));
  expect(await screen.findByText('이모각')).toBeTruthy();
  expect(sent).toEqual([{ path: '/api/friends/link/owner', body: { link: LINK } }]);
});

test('a press asks, once', async () => {
  logIn();
  const { asked } = await show(`/friends/link#${LINK}`, {
    ...read('none'),
    '/api/friends/requests': { standing: 'asked' },
  });
  fireEvent.click(await screen.findByRole('button', { name: '친구 요청하기' }));
  expect(await screen.findByText('요청을 보냈어요. 상대방이 수락하면 친구가 돼요.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: '친구 요청하기' })).toBeNull();
  expect(asked.filter((request) => request === 'POST /api/friends/requests')).toHaveLength(1);
});

test('who was asked already says yes', async () => {
  logIn();
  await show(`/friends/link#${LINK}`, {
    ...read('asks'),
    '/api/friends/requests': { standing: 'friends' },
  });
  expect(await screen.findByText('이 사람이 먼저 친구를 요청했어요.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: '친구 되기' }));
  expect(await screen.findByText('이미 친구예요.')).toBeTruthy();
});

test('a link that opens nothing any more says so, and where else to go', async () => {
  logIn();
  const { code, status, ko } = errors.friendLinkEnded;
  const body = { message: ko, error: 'friendLinkEnded', errorCode: code };
  await show(`/friends/link#${LINK}`, {
    '/api/friends/link/owner': () => Response.json(body, { status }),
  });
  expect(await screen.findByText(ko)).toBeTruthy();
  expect(screen.getByRole('link', { name: '친구 목록으로' }).getAttribute('href')).toBe('/friends');
});

test('an address without a link says what is missing', async () => {
  logIn();
  await show('/friends/link#nothing');
  expect(await screen.findByRole('heading', { name: '친구 링크가 아니에요' })).toBeTruthy();
});
