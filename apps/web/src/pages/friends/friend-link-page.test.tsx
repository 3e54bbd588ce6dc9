import { errors, type FriendStanding } from '@mogakgong/contract';
import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { refusal } from '../../../testing/fake-api.ts';
import { linkPage } from '../../../testing/link-page.tsx';
import { logIn } from '../../../testing/log-in.ts';
import { FriendLinkPage } from './friend-link-page.tsx';

const LINK = 'a-friend-link-of-twenty-and-more';
const owner = { userId: 2, nickname: '이모각', profileImage: 'default.jpg' };
const read = (standing: FriendStanding) => ({ '/api/friends/link/owner': { owner, standing } });

const show = linkPage(<FriendLinkPage />);

test('a visitor is led to log-in and sign-up without the secret, and sees whose link it is afterwards', async () => {
  const visit = await show(`/friends/link#${LINK}`);
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href') ?? '');
  expect(links).toContain('/login?next=%2Ffriends%2Flink');
  expect(links).toContain('/join?next=%2Ffriends%2Flink');
  expect(links.join()).not.toContain(LINK);
  expect(visit.asked).toEqual([]);
  expect(window.location.href).not.toContain(LINK);
  visit.unmount();
  logIn();
  const { sent } = await show('/friends/link', read('none'));
  expect(await screen.findByText('이모각')).toBeTruthy();
  expect(sent).toEqual([{ path: '/api/friends/link/owner', body: { link: LINK } }]);
});

test('a press sends a request, once', async () => {
  logIn();
  const { asked } = await show(`/friends/link#${LINK}`, {
    ...read('none'),
    '/api/friends/requests': { standing: 'asked', isNew: true },
  });
  fireEvent.click(await screen.findByRole('button', { name: '친구 요청하기' }));
  expect(await screen.findByText('요청을 보냈어요. 상대방이 수락하면 친구가 돼요.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: '친구 요청하기' })).toBeNull();
  expect(asked.filter((request) => request === 'POST /api/friends/requests')).toHaveLength(1);
});

test('a learner who has a request already accepts it', async () => {
  logIn();
  await show(`/friends/link#${LINK}`, {
    ...read('asks'),
    '/api/friends/requests': { standing: 'friends', isNew: true },
  });
  expect(await screen.findByText('이 사람이 먼저 친구 요청을 보냈어요.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: '친구 되기' }));
  expect(await screen.findByText('이미 친구예요.')).toBeTruthy();
});

test('a link that is no longer valid says so once, with a link elsewhere', async () => {
  logIn();
  await show(`/friends/link#${LINK}`, {
    '/api/friends/link/owner': () => refusal('friendLinkEnded'),
  });
  expect(await screen.findByText(errors.friendLinkEnded.ko)).toBeTruthy();
  expect(screen.getByRole('heading').textContent).toBe('친구 링크를 열지 못했어요');
  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.getByRole('link', { name: '친구 목록으로' }).getAttribute('href')).toBe('/friends');
});

test('the learner’s own link is explained, and can be copied', async () => {
  logIn();
  const answers = { '/api/friends/link/owner': () => refusal('cannotBefriendYourself') };
  await show(`/friends/link#${LINK}`, answers);
  expect(await screen.findByRole('heading', { name: '내 링크예요' })).toBeTruthy();
  expect(screen.queryByText(errors.cannotBefriendYourself.ko)).toBeNull();
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  fireEvent.click(screen.getByRole('button', { name: '링크 복사' }));
  expect(writeText).toHaveBeenCalledWith(`${window.location.origin}/friends/link#${LINK}`);
  expect(screen.getByRole('link', { name: '친구 목록으로' }).getAttribute('href')).toBe('/friends');
});

test('a failed request is sent again by a press', async () => {
  logIn();
  const { answers } = await show(`/friends/link#${LINK}`);
  const retry = await screen.findByRole('button', { name: '다시 시도' });
  Object.assign(answers, read('none'));
  fireEvent.click(retry);
  expect(await screen.findByText('이모각')).toBeTruthy();
});

test('an address without a secret says what is missing, whatever was opened before', async () => {
  logIn();
  const before = await show(`/friends/link#${LINK}`, read('none'));
  await screen.findByText('이모각');
  before.unmount();
  await show('/friends/link#nothing');
  expect(await screen.findByRole('heading', { name: '친구 링크가 아니에요' })).toBeTruthy();
});
