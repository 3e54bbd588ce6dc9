import { RoomId } from '@mogakgong/contract';
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { render } from '../../../testing/render.tsx';
import { type CameraState, camera } from '../../features/media/camera.ts';
import { RoomBar } from '../bar/room-bar.tsx';
import { useCurrentRoom } from '../live/current-room.ts';
import type { RoomLive } from '../live/room-live.ts';
import { usePanels } from '../panels/panels.tsx';
import { RoomNotices } from './room-notices.tsx';

async function renderWithCamera(ownCamera: CameraState) {
  const live = {
    roomId: 1,
    store: createStore(() => ({
      media: { state: { kind: 'connected' }, arePicturesFlowing: true, isPlaybackBlocked: false },
      camera: ownCamera,
      isServerLost: false,
      about: null,
      tiles: [],
    })),
  } as unknown as RoomLive;
  await act(async () => render(<BarAndNotices live={live} />));
}

function BarAndNotices({ live }: { readonly live: RoomLive }) {
  const slots = {
    about: null,
    deskMark: null,
    timer: null,
    exam: null,
    pomodoro: null,
    board: null,
    chat: null,
  };
  const bar = { isCameraKeptOff: false, panels: usePanels(RoomId.parse(1)), onLeave: vi.fn() };
  return (
    <>
      <RoomBar live={live} {...bar} {...slots} />
      <RoomNotices live={live} />
    </>
  );
}

test.each([
  ['inUse', ['다시 시도', '닫기']],
  ['blurFailed', ['다시 흐리게 하기', '흐리지 않고 켜기', '닫기']],
  ['blurSlow', ['다시 흐리게 하기', '흐리지 않고 켜기', '닫기']],
] as const)(
  'a camera that failed (%s) is off, with one way on for each wish: %s',
  async (problem, labels) => {
    await renderWithCamera({ kind: 'failed', problem });
    await vi.waitFor(() => {
      const help = document.querySelector('[data-camera-problem]')?.closest('[role="status"]');
      const buttons = [...(help?.querySelectorAll('button') ?? [])].map((each) => each.textContent);
      expect(buttons).toEqual(labels);
    });
    expect(screen.getByRole('button', { name: '카메라 켜기' })).toBeDefined();
    const turn = vi.spyOn(camera, 'turn');
    const seat = { userId: 1, roomId: 1, isCameraOn: true };
    useCurrentRoom.setState({ seat: seat as never });
    fireEvent.click(screen.getByRole('button', { name: '닫기' }));
    expect(turn).toHaveBeenCalledWith(false);
  },
);
