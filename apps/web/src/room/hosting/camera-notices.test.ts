import type { RoomId } from '@mogakgong/contract';
import { beforeEach, expect, it } from 'vitest';
import { notify, useNotices } from '../../shared/ui/notify.ts';
import { announceCameraRule } from './camera-notices.ts';

const notice = { kind: 'cameraRule', roomId: 1 as RoomId } as const;

beforeEach(() => useNotices.setState({ dialogs: [], toasts: [] }));

it.each([
  [false, /꺼져 있어요/u],
  [true, /까맣게 보여요/u],
] as const)('a warning is a line that takes no focus (black: %s)', async (isBlack, text) => {
  await announceCameraRule({ ...notice, step: 'warned', isBlack });
  expect(notify.state().dialogs).toEqual([]);
  expect(notify.state().toasts).toMatchObject([{ text: expect.stringMatching(text) }]);
});

it.each([
  [false, '카메라가 꺼져 있어 자리 비움으로 바꿨어요'],
  [true, '카메라가 까맣게 보여 자리 비움으로 바꿨어요'],
] as const)('being set away stays until it is read (black: %s)', async (isBlack, title) => {
  await announceCameraRule({ ...notice, step: 'away', isBlack });
  expect(notify.state().dialogs).toMatchObject([{ title }]);
});

it('focus that continues is announced by a toast, too', async () => {
  await announceCameraRule({ ...notice, step: 'back', isBlack: false });
  expect(notify.state().toasts).toMatchObject([{ tone: 'good' }]);
});
