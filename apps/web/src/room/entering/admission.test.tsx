import { errors, RoomId, UserId } from '@mogakgong/contract';
import { act, fireEvent, screen } from '@testing-library/react';
import { Suspense, useRef } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { refusal, startFakeApi } from '../../../testing/fake-api.ts';
import { LEARNER, logIn } from '../../../testing/log-in.ts';
import { render } from '../../../testing/render.tsx';
import { usePageFocus } from '../../shared/ui/page-heading.ts';
import { Admission } from './admission.tsx';

const PATH = '/api/study-rooms/7/admission';
const room = {
  roomId: 7,
  name: '토익 900',
  goal: '',
  hostId: 2,
  hostName: '이모각',
  learners: 3,
  capacity: 8,
  isPublic: true,
  needsApproval: true,
  needsCamera: false,
};
const needed = { errorName: 'approvalNeeded', message: errors.approvalNeeded.ko };

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  logIn();
});

function Page({ onAdmitted }: { readonly onAdmitted: () => void }) {
  const ref = useRef<HTMLElement>(null);
  usePageFocus(ref);
  const userId = UserId.parse(LEARNER.userId);
  return (
    <main ref={ref}>
      <Suspense>
        <Admission {...{ userId, roomId: RoomId.parse(7), onAdmitted }} refusal={needed} />
      </Suspense>
    </main>
  );
}

async function show(status: string) {
  const api = startFakeApi({ [PATH]: { room, status } });
  const onAdmitted = vi.fn();
  await act(async () => render(<Page onAdmitted={onAdmitted} />));
  return { ...api, onAdmitted };
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test('a waiting learner continues as soon as the host has admitted them', async () => {
  const { answers, onAdmitted } = await show('waiting');
  await screen.findByText('방장의 수락을 기다리고 있어요');
  answers[PATH] = { room, status: 'admitted' };
  await pass(4_500);
  expect(onAdmitted).toHaveBeenCalled();
});

test('a waiting learner reads that the room was closed meanwhile, and can go to another', async () => {
  const { answers } = await show('waiting');
  await screen.findByText('방장의 수락을 기다리고 있어요');
  answers[PATH] = () => refusal('roomClosed');
  await pass(4_500);
  expect(await screen.findByText(errors.roomClosed.ko)).toBeTruthy();
  expect(screen.getByRole('button', { name: '다른 방 찾기' })).toBeTruthy();
});

test('a declined learner gets the button back when they may ask again', async () => {
  const { answers, asked } = await show('declined');
  await screen.findByText('방장이 요청을 거절했어요');
  expect(screen.queryByRole('button', { name: '입장 요청하기' })).toBeNull();
  answers[PATH] = { room, status: 'none' };
  await pass(61_000);
  fireEvent.click(await screen.findByRole('button', { name: '입장 요청하기' }));
  await vi.waitFor(() => expect(asked).toContain(`POST ${PATH}`));
});

test('the focus moves to the new state after asking and after withdrawing', async () => {
  const { answers } = await show('none');
  const press = async (name: string, status: string) => {
    answers[PATH] = { room, status };
    const button = await screen.findByRole('button', { name });
    button.focus();
    fireEvent.click(button);
  };
  const focused = () => document.activeElement?.textContent;
  await press('입장 요청하기', 'waiting');
  await vi.waitFor(() => expect(focused()).toBe('방장의 수락을 기다리고 있어요'));
  await press('요청 취소', 'none');
  await vi.waitFor(() => expect(focused()).toBe('방장의 수락이 필요해요'));
});
