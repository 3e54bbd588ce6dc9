import { errors } from '@mogakgong/contract';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { refusal } from '../../../testing/fake-api.ts';
import { card } from '../../../testing/groups.ts';
import { linkPage } from '../../../testing/link-page.tsx';
import { logIn } from '../../../testing/log-in.ts';
import { GroupLinkPage } from './group-link-page.tsx';

const LINK = 'a-group-link-of-twenty-and-more';

const show = linkPage(<GroupLinkPage />);

test('a visitor is led to log-in and sign-up without the secret, and sees the group afterwards', async () => {
  const visit = await show(`/groups/join#${LINK}`);
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href') ?? '');
  expect(links).toContain('/login?next=%2Fgroups%2Fjoin');
  expect(links).toContain('/join?next=%2Fgroups%2Fjoin');
  expect(links.join()).not.toContain(LINK);
  expect(visit.asked).toEqual([]);
  expect(window.location.href).not.toContain(LINK);
  visit.unmount();
  logIn();
  const { sent } = await show('/groups/join', {
    '/api/group-invitations': { group: card, standing: 'none' },
  });
  expect(await screen.findByText('새벽 수능반')).toBeTruthy();
  expect(sent).toEqual([{ path: '/api/group-invitations', body: { invitation: LINK } }]);
});

test('joining sends the secret, and leads to the page of the group', async () => {
  logIn();
  const { sent } = await show(`/groups/join#${LINK}`, {
    '/api/group-invitations': { group: card, standing: 'none' },
    '/api/groups/7/members': { standing: 'member' },
  });
  fireEvent.click(await screen.findByRole('checkbox', { name: /동의해요/u }));
  fireEvent.click(screen.getByRole('button', { name: '그룹에 가입하기' }));
  await waitFor(() => expect(window.location.pathname).toBe('/groups/7'));
  expect(sent[1]).toEqual({
    path: '/api/groups/7/members',
    body: { agrees: true, invitation: LINK },
  });
});

test('a member is led to the page of the group', async () => {
  logIn();
  await show(`/groups/join#${LINK}`, {
    '/api/group-invitations': { group: card, standing: 'member' },
  });
  const link = await screen.findByRole('link', { name: '그룹으로 가기' });
  expect(link.getAttribute('href')).toBe('/groups/7');
});

test('a link that is no longer valid says so once, with a link elsewhere', async () => {
  logIn();
  await show(`/groups/join#${LINK}`, {
    '/api/group-invitations': () => refusal('groupInvitationEnded'),
  });
  expect(await screen.findByText(errors.groupInvitationEnded.ko)).toBeTruthy();
  expect(screen.getByRole('heading').textContent).toBe('초대를 열지 못했어요');
  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.getByRole('link').getAttribute('href')).toBe('/groups');
});

test('an address without a secret says what is missing', async () => {
  logIn();
  await show('/groups/join#nothing');
  expect(await screen.findByRole('heading', { name: '초대 링크가 아니에요' })).toBeTruthy();
});
