import { errors } from '@mogakgong/contract';
import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { refusal } from '../../../testing/fake-api.ts';
import { linkPage } from '../../../testing/link-page.tsx';
import { logIn } from '../../../testing/log-in.ts';
import { InvitationPage } from './invitation-page.tsx';

const TOKEN = 'an-invitation-of-twenty-and-more';
const room = {
  roomId: 7,
  name: '토익 900',
  goal: '하루 두 단원',
  hostId: 2,
  hostName: '이모각',
  learners: 3,
  capacity: 8,
  isPublic: false,
  needsApproval: true,
  needsCamera: true,
};

const show = linkPage(<InvitationPage />);

test('a visitor is led to log-in and sign-up without the token, and finds the room afterwards', async () => {
  const { name, hostName, learners, capacity } = room;
  const visit = await show(`/invite#${TOKEN}`, {
    '/api/invitations/preview': { name, hostName, learners, capacity },
  });
  await screen.findByRole('heading', { name: '이모각님이 ‘토익 900’ 방에 초대했어요' });
  expect(screen.getByText(/8자리 중 3자리에서 공부하고 있어요/u)).toBeTruthy();
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href') ?? '');
  expect(links).toContain('/login?next=%2Finvite');
  expect(links).toContain('/join?next=%2Finvite');
  expect(links.join()).not.toContain(TOKEN);
  expect(window.location.href).not.toContain(TOKEN);
  expect(visit.asked).toEqual(['POST /api/invitations/preview']);
  visit.unmount();
  logIn();
  await show('/invite', { '/api/invitations': { room, status: 'none' } });
  expect(await screen.findByText('토익 900')).toBeTruthy();
  expect(screen.getByText('이모각님의 방이에요.')).toBeTruthy();
  expect(screen.getByText(/카메라를 켜 두는 방이에요/u)).toBeTruthy();
});

test('a press asks to be let in, and goes to the room', async () => {
  logIn();
  const { asked } = await show(`/invite#${TOKEN}`, {
    '/api/invitations': { room, status: 'none' },
    '/api/study-rooms/7/admission': { status: 'waiting' },
  });
  fireEvent.click(await screen.findByRole('button', { name: '입장 요청하기' }));
  await vi.waitFor(() => expect(window.location.pathname).toBe('/studyroom/7'));
  expect(asked).toContain('POST /api/study-rooms/7/admission');
});

test.each([
  ['a learner', '/api/invitations'],
  ['a visitor', '/api/invitations/preview'],
])('a link that is no longer valid says so to %s, with a link elsewhere', async (who, path) => {
  if (who === 'a learner') logIn();
  await show(`/invite#${TOKEN}`, { [path]: () => refusal('invitationEnded') });
  expect(await screen.findByText(errors.invitationEnded.ko)).toBeTruthy();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('초대를 열지 못했어요');
  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.getByRole('link', { name: '메인으로' }).getAttribute('href')).toBe('/main');
});

test('another link that is opened in the same tab leads to its own room', async () => {
  logIn();
  const { answers, sent } = await show(`/invite#${TOKEN}`, {
    '/api/invitations': { room, status: 'none' },
  });
  await screen.findByText('토익 900');
  const other = `another-${TOKEN}`;
  answers['/api/invitations'] = { room: { ...room, name: '새벽 코딩' }, status: 'none' };
  window.location.hash = other;
  expect(await screen.findByText('새벽 코딩')).toBeTruthy();
  expect(sent.at(-1)?.body).toEqual({ invitation: other });
});
