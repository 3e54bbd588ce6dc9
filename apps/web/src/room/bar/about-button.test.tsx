import { RoomId, UserId } from '@mogakgong/contract';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { startFakeApi } from '../../../testing/fake-api.ts';
import { LEARNER, logIn } from '../../../testing/log-in.ts';
import { render } from '../../../testing/render.tsx';
import { learnerKey } from '../../shared/api/profile.ts';
import { queryClient } from '../../shared/api/query.ts';
import { Notices } from '../../shared/ui/notices.tsx';
import { notify, useNotices } from '../../shared/ui/notify.ts';
import { usePanels } from '../panels/panels.tsx';
import { AboutButton } from './about-button.tsx';

const HOSTING = '/api/study-rooms/7/hosting';
const userId = UserId.parse(LEARNER.userId);
const rules = { isPublic: true, needsApproval: true, needsCamera: false };
const about = { name: '토익 900', goal: '', hostId: userId, ...rules };
const jiu = { userId: 5, nickname: '지우', profileImage: '' };
const seoyeon = { userId: 6, nickname: '서연', profileImage: '' };
const viewWith = (...waiting: object[]) => ({
  invitation: 'an-invitation-of-twenty-and-more',
  waiting,
  hidden: 0,
});

beforeEach(() => {
  logIn();
  useNotices.setState({ dialogs: [], toasts: [] });
});

function Bar() {
  const panels = usePanels(RoomId.parse(7));
  return (
    <>
      <AboutButton {...{ userId, about, panels }} roomId={RoomId.parse(7)} />
      <output>{panels.open}</output>
      <Notices />
    </>
  );
}

/**
 * Shows the button to a host; returns a function that changes the waiting people, as a notice of the server
 * does.
 */
async function show() {
  const { answers } = startFakeApi({ [HOSTING]: viewWith() });
  await act(async () => render(<Bar />));
  await screen.findByRole('button', { name: '방 정보' });
  return (...waiting: object[]) =>
    act(async () => {
      answers[HOSTING] = viewWith(...waiting);
      await queryClient.invalidateQueries({ queryKey: [...learnerKey(userId), 'hosting'] });
    });
}
const texts = () => notify.state().toasts.map(({ text }) => text);
const opened = () => screen.getAllByRole('status').find(({ tagName }) => tagName === 'OUTPUT');

test('each request is shown to the host until it is answered or withdrawn', async () => {
  const wait = await show();
  await wait(jiu, seoyeon);
  const both = ['지우님이 들어오고 싶어 해요.', '서연님이 들어오고 싶어 해요.'];
  await vi.waitFor(() => expect(texts()).toEqual(both));
  await wait(seoyeon);
  await vi.waitFor(() => expect(texts()).toEqual([both[1]]));
  // They ask again.
  await wait(seoyeon, jiu);
  await vi.waitFor(() => expect(texts()).toEqual([both[1], both[0]]));
  cleanup();
  expect(texts()).toEqual([]);
});

test('the toast leads to the panel with the answers, and disappears once that is open', async () => {
  const wait = await show();
  await wait(jiu, seoyeon);
  const [look] = await screen.findAllByRole('button', { name: '보기' });
  fireEvent.click(look as HTMLElement);
  expect(opened()?.textContent).toBe('about');
  expect(texts()).toEqual([]);
  // Then there is nothing to open.
  const mina = { userId: 8, nickname: '민아', profileImage: '' };
  await wait(jiu, seoyeon, mina);
  await vi.waitFor(() => expect(texts()).toEqual(['민아님이 들어오고 싶어 해요.']));
  expect(screen.queryByRole('button', { name: '보기' })).toBeNull();
});
