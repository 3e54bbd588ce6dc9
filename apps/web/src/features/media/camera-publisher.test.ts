import type { Room } from 'livekit-client';
import { beforeEach, expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { Camera, CameraState } from './camera.ts';
import { CameraPublisher, SentCamera } from './camera-publisher.ts';
import { useSaveData } from './save-data.ts';

beforeEach(() => useSaveData.setState(useSaveData.getInitialState()));

function newDevice() {
  return Object.assign(new EventTarget(), {
    kind: 'video',
    getConstraints: () => ({}),
    getSettings: () => ({}),
    stop: vi.fn(),
  });
}

/** A camera that is sent in two sizes. */
function sentCamera() {
  const device = newDevice();
  const camera = new SentCamera(device as unknown as MediaStreamTrack, {}, true);
  let encodings = [
    { rid: 'q', active: true },
    { rid: 'h', active: true },
  ];
  const sender = {
    getParameters: () => ({ encodings: structuredClone(encodings) }),
    replaceTrack: async () => undefined,
    setParameters: async (changed: { encodings: typeof encodings }) => {
      encodings = changed.encodings;
    },
  };
  Object.assign(camera, { sender, encodings: structuredClone(encodings) });
  const sizes = () => encodings.filter(({ active }) => active).map(({ rid }) => rid);
  return { camera, device, sizes };
}

test('while less is sent the small size goes out alone, whoever asks for more', async () => {
  const { camera, sizes } = sentCamera();
  expect(sizes()).toEqual(['q', 'h']);
  useSaveData.setState({ choice: true });
  await camera.followSaving();
  expect(sizes()).toEqual(['q']);
  const all = [0, 1, 2].map((quality) => ({ quality, enabled: true }));
  await camera.setPublishingLayers(false, all as never);
  expect(sizes()).toEqual(['q']);
  useSaveData.setState({ choice: false });
  await camera.followSaving();
  expect(sizes()).toEqual(['q', 'h']);
});

test('the camera goes on when the library lets go of a frozen tab', () => {
  const { camera, device } = sentCamera();
  camera.stop();
  expect(device.stop).not.toHaveBeenCalled();
});

test('while the next picture is not ready the others are shown no frame of the last', async () => {
  // jsdom's name makes the library take it for a Safari that cannot pause.
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Chrome/140.0.0.0');
  const picture = { attach: vi.fn(), detach: vi.fn() };
  const on = (device: object): CameraState => ({
    kind: 'on',
    track: device as MediaStreamTrack,
    picture,
    isPaused: false,
    isShared: true,
  });
  const [sharp, blurred] = [newDevice(), newDevice()];
  const store = createStore<CameraState>(() => on(sharp));
  const publisher = new CameraPublisher({ store } as unknown as Camera);
  const replaceTrack = vi.fn(async () => undefined);
  const sender = { replaceTrack, getParameters: () => ({}), setParameters: vi.fn() };
  let sent: SentCamera | undefined;
  const publishTrack = async (track: SentCamera) => {
    // The track takes its device over first.
    await new Promise((resolve) => setTimeout(resolve));
    Object.assign(track, { sender });
    sent = track;
  };
  publisher.switchRoom({ localParticipant: { publishTrack } } as unknown as Room);
  await vi.waitFor(() => expect(sent).toBeDefined());

  store.setState({ kind: 'starting' }, true);
  publisher.follow();
  await vi.waitFor(() => expect(replaceTrack).toHaveBeenLastCalledWith(null));
  // The library says so to the room: it mutes the track there.
  expect(sent?.isUpstreamPaused).toBe(true);

  store.setState(on(blurred), true);
  publisher.follow();
  await vi.waitFor(() => expect(sent?.isUpstreamPaused).toBe(false));
  expect(replaceTrack).toHaveBeenLastCalledWith(blurred);
});
