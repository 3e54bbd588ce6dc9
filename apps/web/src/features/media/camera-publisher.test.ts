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

/** A camera sent in two sizes. */
function sentCamera() {
  const device = newDevice();
  const camera = new SentCamera(device as unknown as MediaStreamTrack, {}, true);
  type Encoding = RTCRtpEncodingParameters & { scalabilityMode?: string };
  const unchanged: Encoding[] = [
    { rid: 'q', active: true, maxBitrate: 37_000, maxFramerate: 8 },
    { rid: 'h', active: true, maxBitrate: 350_000, maxFramerate: 15 },
  ];
  let encodings = unchanged;
  const sender = {
    getParameters: () => ({ encodings: structuredClone(encodings) }),
    replaceTrack: async () => undefined,
    setParameters: async (changed: { encodings: typeof encodings }) => {
      encodings = changed.encodings;
    },
  };
  Object.assign(camera, { sender, encodings: structuredClone(encodings) });
  const sent = () => encodings.filter(({ active }) => active);
  const sizes = () => sent().map(({ rid }) => rid);
  const renew = () => {
    encodings = unchanged;
  };
  return { camera, device, sent, sizes, renew };
}

test('each size is sent in two temporal layers, also by the sender of a new connection', async () => {
  const { camera, sent, renew } = sentCamera();
  const layers = () => sent().map(({ scalabilityMode }) => scalabilityMode);
  await camera.followSaving();
  expect(layers()).toEqual(['L1T2', 'L1T2']);
  renew();
  expect(layers()).toEqual([undefined, undefined]);
  await camera.followSaving();
  expect(layers()).toEqual(['L1T2', 'L1T2']);
});

test('while data is saved only the small size is sent, even if a larger one is requested', async () => {
  const { camera, sizes } = sentCamera();
  expect(sizes()).toEqual(['q', 'h']);
  useSaveData.setState({ mode: 'always' });
  await camera.followSaving();
  expect(sizes()).toEqual(['q']);
  const all = [0, 1, 2].map((quality) => ({ quality, enabled: true }));
  await camera.setPublishingLayers(false, all as never);
  expect(sizes()).toEqual(['q']);
  useSaveData.setState({ mode: 'automatic' });
  await camera.followSaving();
  expect(sizes()).toEqual(['q', 'h']);
});

test('in a break each size that is sent has few frames and few bits, also one that is requested later', async () => {
  const { camera, sent } = sentCamera();
  const only = (quality: number) =>
    camera.setPublishingLayers(
      false,
      [0, 1, 2].map((each) => ({ quality: each, enabled: each === quality })) as never,
    );
  await only(0);
  await camera.slowDown(true);
  expect(sent()).toMatchObject([{ rid: 'q', active: true, maxBitrate: 11_100, maxFramerate: 2 }]);
  await only(1);
  expect(sent()).toMatchObject([{ rid: 'h', active: true, maxBitrate: 105_000, maxFramerate: 2 }]);
  await camera.slowDown(false);
  expect(sent()).toMatchObject([{ rid: 'h', active: true, maxBitrate: 350_000, maxFramerate: 15 }]);
  await only(0);
  expect(sent()).toMatchObject([{ rid: 'q', active: true, maxBitrate: 37_000, maxFramerate: 8 }]);
});

test('the camera stays on when the library disconnects a frozen tab', () => {
  const { camera, device } = sentCamera();
  camera.stop();
  expect(device.stop).not.toHaveBeenCalled();
});

test('until the next picture is ready the others see no frame of the last one', async () => {
  // jsdom's name makes the library treat it as a Safari that cannot pause.
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Chrome/140.0.0.0');
  const [sharp, blurred] = [newDevice(), newDevice()];
  const store = createStore<CameraState>(() => on(sharp));
  const publisher = new CameraPublisher({ store } as unknown as Camera, vi.fn());
  const replaceTrack = vi.fn(async () => undefined);
  const sender = { replaceTrack, getParameters: () => ({ encodings: [] }), setParameters: vi.fn() };
  let sent: SentCamera | undefined;
  const publishTrack = async (track: SentCamera) => {
    // The track takes over its device first.
    await new Promise((resolve) => setTimeout(resolve));
    Object.assign(track, { sender });
    sent = track;
  };
  publisher.switchRoom({ localParticipant: { publishTrack } } as unknown as Room);
  await vi.waitFor(() => expect(sent).toBeDefined());

  store.setState({ kind: 'starting' }, true);
  publisher.follow();
  await vi.waitFor(() => expect(replaceTrack).toHaveBeenLastCalledWith(null));
  // The library tells the room by muting the track there.
  expect(sent?.isUpstreamPaused).toBe(true);

  store.setState(on(blurred), true);
  publisher.follow();
  await vi.waitFor(() => expect(sent?.isUpstreamPaused).toBe(false));
  expect(replaceTrack).toHaveBeenLastCalledWith(blurred);
});

test('a picture that fails to publish is retried, and reported as unseen until it succeeds', async () => {
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
  // Soon at first, then at most every 15 s.
  expect(tries).toBeGreaterThan(2);
  expect(tries).toBeLessThan(8);
  expect(onUnseen).toHaveBeenLastCalledWith(true);

  publishTrack.mockImplementation(async (track: SentCamera) => {
    Object.assign(track, {
      sender: { replaceTrack: vi.fn(), getParameters: () => ({ encodings: [] }) },
    });
  });
  await vi.advanceTimersByTimeAsync(15_000);
  expect(onUnseen).toHaveBeenLastCalledWith(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(publishTrack).toHaveBeenCalledTimes(tries + 1);

  // A failure on an ended connection does not count against the next one.
  publishTrack.mockRejectedValue(new Error('closed'));
  publisher.switchRoom({ localParticipant: { publishTrack } } as unknown as Room);
  publisher.switchRoom(null);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(onUnseen).toHaveBeenLastCalledWith(false);
});

test('while the learner is away nothing is sent, and the picture is back with them', async () => {
  const store = createStore<CameraState>(() => on(newDevice()));
  const publisher = new CameraPublisher({ store } as unknown as Camera, vi.fn());
  const publishTrack = vi.fn(async (track: SentCamera) => {
    Object.assign(track, {
      sender: { replaceTrack: vi.fn(), getParameters: () => ({ encodings: [] }) },
    });
  });
  const unpublishTrack = vi.fn(async () => undefined);
  publisher.switchRoom({ localParticipant: { publishTrack, unpublishTrack } } as unknown as Room);
  await vi.waitFor(() => expect(publishTrack).toHaveBeenCalledOnce());
  publisher.setSending('withheld');
  await vi.waitFor(() => expect(unpublishTrack).toHaveBeenCalledOnce());
  publisher.follow();
  publisher.setSending('whole');
  await vi.waitFor(() => expect(publishTrack).toHaveBeenCalledTimes(2));
});
