import { type Member, type RoomAbout, RoomId, stillClock, UserId } from '@mogakgong/contract';
import { act, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { startFakeApi } from '../../../testing/fake-api.ts';
import { card } from '../../../testing/groups.ts';
import { LEARNER, logIn } from '../../../testing/log-in.ts';
import { render } from '../../../testing/render.tsx';
import type { RoomLive } from '../live/room-live.ts';
import { AboutPanel } from './about-panel.tsx';

const HOSTING = '/api/study-rooms/7/hosting';
const rules = { isPublic: true, needsApproval: false, needsCamera: false };
const about = { name: '토익 900', goal: '', ...rules };
const userId = UserId.parse(LEARNER.userId);
/** A blocked person as presence shows them. */
const blocked: Member = {
  userId: UserId.parse(5),
  nickname: '',
  profileImage: '',
  title: null,
  connection: 'here',
  clock: stillClock('idle', 0),
};

beforeEach(logIn);

async function show(hostId: number, members: readonly Member[], more: Partial<RoomAbout> = {}) {
  const view = { invitation: 'an-invitation-of-twenty-and-more', waiting: [], hidden: 2 };
  const own = { ...card, roomId: 7, isLeader: true, waiting: 0 };
  const api = startFakeApi({ [HOSTING]: view, '/api/groups': { groups: [own] } });
  const store = createStore(() => ({ members })) as unknown as RoomLive['store'];
  await act(async () =>
    render(
      <AboutPanel
        live={{ userId, roomId: RoomId.parse(7), store }}
        about={{ ...about, ...more, hostId: UserId.parse(hostId) }}
        onClose={() => undefined}
      />,
    ),
  );
  await screen.findByText('토익 900');
  return api;
}

test('a host can remove people behind a block in either direction, without their names', async () => {
  await show(LEARNER.userId, [blocked]);
  expect(await screen.findByRole('button', { name: '차단한 사람님 내보내기' })).toBeTruthy();
  expect(screen.getByRole('button', { name: '나를 차단한 사람 2명 내보내기' })).toBeTruthy();
  // The host's rights pass only to a visible person.
  expect(screen.getAllByRole('button', { name: /방장 넘기기/u })).toHaveLength(1);
});

test('a host who is away or hidden by a block is not a missing host', async () => {
  await show(3, []);
  expect(screen.getByText('지금 방에서 보이지 않아요')).toBeTruthy();
});

test('a blocked host is shown without a name', async () => {
  await show(blocked.userId, [blocked]);
  expect(screen.getByText('차단한 사람')).toBeTruthy();
});

test('the room of a group leads to its page, and its host has no link, handing over or end here', async () => {
  await show(LEARNER.userId, [{ ...blocked, nickname: '지우' }], { isGroup: true });
  expect(await screen.findByRole('button', { name: '지우님 내보내기' })).toBeTruthy();
  await vi.waitFor(() =>
    expect(screen.getByRole('link', { name: '그룹 페이지로' }).getAttribute('href')).toBe(
      '/groups/7',
    ),
  );
  expect(screen.queryByRole('textbox', { name: '초대 링크' })).toBeNull();
  expect(screen.queryByRole('button', { name: /방장 넘기기|방 닫기/u })).toBeNull();
});
