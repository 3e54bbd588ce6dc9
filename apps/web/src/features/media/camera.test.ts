import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Camera } from './camera.ts';

class FakeTrack extends EventTarget {
  readyState = 'live';
  stop(): void {
    this.readyState = 'ended';
  }
}

const getUserMedia = vi.fn<(constraints: MediaStreamConstraints) => Promise<MediaStream>>();

function streamOf(track: FakeTrack): MediaStream {
  return { getVideoTracks: () => [track] } as unknown as MediaStream;
}

function refusal(name: string): Error {
  return Object.assign(new Error(), { name });
}

beforeEach(() => {
  getUserMedia.mockReset();
  vi.stubGlobal('navigator', { ...navigator, mediaDevices: { getUserMedia } });
  return () => vi.unstubAllGlobals();
});

async function opened(track: FakeTrack): Promise<Camera> {
  getUserMedia.mockResolvedValue(streamOf(track));
  const camera = new Camera();
  camera.hold();
  await camera.open();
  return camera;
}

describe('the camera', () => {
  test('is opened once, for the preview and the room together, and never with sound', async () => {
    const track = new FakeTrack();
    getUserMedia.mockResolvedValue(streamOf(track));
    const camera = new Camera();
    const releases = [camera.hold(), camera.hold()];
    expect(await camera.open()).toMatchObject({ kind: 'on', track });
    expect(getUserMedia).toHaveBeenCalledTimes(1);
    expect(getUserMedia.mock.calls[0]?.[0].audio).toBe(false);
    releases[0]?.();
    releases[0]?.();
    expect(track.readyState).toBe('live');
    releases[1]?.();
    expect(track.readyState).toBe('ended');
    expect(camera.store.getState()).toEqual({ kind: 'off' });
  });

  test('that nobody holds is not opened', async () => {
    expect(await new Camera().open()).toEqual({ kind: 'off' });
    expect(getUserMedia).not.toHaveBeenCalled();
  });

  test('that is released while the question is open is switched off when it is answered', async () => {
    const track = new FakeTrack();
    const { promise, resolve } = Promise.withResolvers<MediaStream>();
    getUserMedia.mockReturnValue(promise);
    const camera = new Camera();
    const release = camera.hold();
    const opening = camera.open();
    release();
    resolve(streamOf(track));
    expect(await opening).toEqual({ kind: 'off' });
    expect(track.readyState).toBe('ended');
  });

  test('says why it cannot be opened, and can be tried again', async () => {
    getUserMedia.mockRejectedValueOnce(refusal('NotAllowedError'));
    const camera = new Camera();
    camera.hold();
    expect(await camera.open()).toEqual({ kind: 'failed', problem: 'denied' });
    getUserMedia.mockResolvedValueOnce(streamOf(new FakeTrack()));
    expect(await camera.open()).toMatchObject({ kind: 'on' });
  });

  test('waits a moment for another tab to let go of it', async () => {
    vi.useFakeTimers();
    getUserMedia.mockRejectedValueOnce(refusal('NotReadableError'));
    getUserMedia.mockResolvedValueOnce(streamOf(new FakeTrack()));
    const camera = new Camera();
    camera.hold();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(camera.store.getState()).toMatchObject({ kind: 'on' });
    vi.useRealTimers();
  });

  test('notices that it is pulled out or covered', async () => {
    const track = new FakeTrack();
    const camera = await opened(track);
    track.dispatchEvent(new Event('mute'));
    expect(camera.store.getState()).toMatchObject({ kind: 'on', isPaused: true });
    track.dispatchEvent(new Event('unmute'));
    expect(camera.store.getState()).toMatchObject({ kind: 'on', isPaused: false });
    track.dispatchEvent(new Event('ended'));
    expect(camera.store.getState()).toEqual({ kind: 'failed', problem: 'unplugged' });
  });

  test('on an insecure page is not even asked for', async () => {
    vi.stubGlobal('navigator', {});
    const camera = new Camera();
    camera.hold();
    expect(await camera.open()).toEqual({ kind: 'failed', problem: 'insecure' });
  });
});

describe('a camera that the learner turned off', () => {
  test('has its light off until it is turned on, with the same device', async () => {
    const track = new FakeTrack();
    const camera = await opened(track);
    camera.turn(false);
    expect(track.readyState).toBe('ended');
    // The room and the window's focus try failed cameras again, not this one.
    expect(await camera.open()).toEqual({ kind: 'off' });
    const next = new FakeTrack();
    getUserMedia.mockResolvedValue(streamOf(next));
    camera.turn(true);
    expect(await camera.open()).toMatchObject({ kind: 'on', track: next });
  });

  test('is opened for a preview all the same, and shared with the room only once it is on', async () => {
    const track = new FakeTrack();
    const camera = await opened(track);
    camera.turn(false);
    const preview = new FakeTrack();
    getUserMedia.mockResolvedValue(streamOf(preview));
    const endPreview = camera.hold(true);
    expect(await camera.open()).toMatchObject({ kind: 'on', track: preview, isShared: false });
    endPreview();
    expect(preview.readyState).toBe('ended');
    expect(camera.store.getState()).toEqual({ kind: 'off' });

    const next = new FakeTrack();
    getUserMedia.mockResolvedValue(streamOf(next));
    camera.hold(true);
    await camera.open();
    camera.turn(true);
    expect(camera.store.getState()).toMatchObject({ kind: 'on', track: next, isShared: true });
  });

  test('is not even opened where it was off before a reload', () => {
    const camera = new Camera();
    camera.turn(false);
    camera.hold();
    expect(camera.store.getState()).toEqual({ kind: 'off' });
    expect(getUserMedia).not.toHaveBeenCalled();
  });
});

test('another device takes the place of the first, and is remembered', async () => {
  const track = new FakeTrack();
  const camera = await opened(track);
  const other = new FakeTrack();
  getUserMedia.mockResolvedValue(streamOf(other));
  camera.choose('desk-camera');
  expect(track.readyState).toBe('ended');
  expect(await camera.open()).toMatchObject({ kind: 'on', track: other });
  expect(getUserMedia.mock.lastCall?.[0].video).toMatchObject({
    deviceId: { ideal: 'desk-camera' },
  });
  await opened(new FakeTrack());
  expect(getUserMedia.mock.lastCall?.[0].video).toMatchObject({
    deviceId: { ideal: 'desk-camera' },
  });
  localStorage.clear();
});

test('an effect stands between the device and what is shown, and ends with it', async () => {
  const device = new FakeTrack();
  const camera = await opened(device);
  const shown = new FakeTrack() as unknown as MediaStreamTrack;
  const effect = { track: shown, stop: vi.fn() };
  const next = new FakeTrack();
  getUserMedia.mockResolvedValue(streamOf(next));
  const apply = vi.fn(() => effect);
  camera.setEffect(apply);
  expect(await camera.open()).toMatchObject({ kind: 'on', track: shown });
  expect(apply).toHaveBeenCalledWith(next);
  camera.turn(false);
  expect(effect.stop).toHaveBeenCalledOnce();
  expect(next.readyState).toBe('ended');
});
