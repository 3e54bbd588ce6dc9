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

const picture = { attach: vi.fn(), detach: vi.fn() };
const on = (device: object): CameraState => ({
  kind: 'on',
  track: device as MediaStreamTrack,
  picture,
  isPaused: false,
  isShared: true,
});

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
  const [sharp, blurred] = [newDevice(), newDevice()];
  const store = createStore<CameraState>(() => on(sharp));
  const publisher = new CameraPublisher({ store } as unknown as Camera, vi.fn());
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

test('a picture that the room does not take is sent again until it does, and is said to be unseen until then', async () => {
  vi.useFakeTimers();
  const store = createStore<CameraState>(() => on(newDevice()));
  const onUnseen = vi.fn();
  const publisher = new CameraPublisher({ store } as unknown as Camera, onUnseen);
  const publishTrack = vi.fn().mockRejectedValue(new Error('publication timed out'));
  publisher.switchRoom({ localParticipant: { publishTrack } } as unknown as Room);
  await vi.advanceTimersByTimeAsync(0);
  expect(publishTrack).toHaveBeenCalledOnce();
  expect(onUnseen).toHaveBeenLastCalledWith(true);
  await vi.advanceTimersByTimeAsync(30_000);
  const tries = publishTrack.mock.calls.length;
  // Sooner first, then at most every 15 s.
  expect(tries).toBeGreaterThan(2);
  expect(tries).toBeLessThan(8);
  expect(onUnseen).toHaveBeenLastCalledWith(true);

  publishTrack.mockImplementation(async (track: SentCamera) => {
    Object.assign(track, { sender: { replaceTrack: vi.fn(), getParameters: () => ({}) } });
  });
  await vi.advanceTimersByTimeAsync(15_000);
  expect(onUnseen).toHaveBeenLastCalledWith(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(publishTrack).toHaveBeenCalledTimes(tries + 1);

  // What fails on a connection that has ended is no fault of the next.
  publishTrack.mockRejectedValue(new Error('closed'));
  publisher.switchRoom({ localParticipant: { publishTrack } } as unknown as Room);
  publisher.switchRoom(null);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(onUnseen).toHaveBeenLastCalledWith(false);
  vi.useRealTimers();
});
