import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Camera } from './camera.ts';
import type { CameraEffect } from './camera-effect.ts';

class FakeTrack extends EventTarget {
  readyState = 'live';
  enabled = true;
  readonly label: string;
  constraints: MediaTrackConstraints = {};
  constructor(label = 'FaceTime HD') {
    super();
    this.label = label;
  }
  getSettings(): MediaTrackSettings {
    return { deviceId: `id of ${this.label}` };
  }
  getConstraints = () => this.constraints;
  applyConstraints = async (constraints: MediaTrackConstraints) => {
    this.constraints = constraints;
  };
  stop(): void {
    this.readyState = 'ended';
  }
}

const getUserMedia = vi.fn<(constraints: MediaStreamConstraints) => Promise<MediaStream>>();

/** The browser's cameras, and the person's permission. */
let cameras: Pick<MediaDeviceInfo, 'kind' | 'deviceId' | 'label'>[] = [];
let devices: EventTarget;
let permission: EventTarget & { state: string };
const releases: (() => void)[] = [];

const newCamera = (label: string) => ({
  kind: 'videoinput' as const,
  deviceId: `id of ${label}`,
  label,
});

function streamOf(track: FakeTrack): MediaStream {
  return { getVideoTracks: () => [track] } as unknown as MediaStream;
}

function refusal(name: string, message = ''): Error {
  return Object.assign(new Error(message), { name });
}

beforeEach(() => {
  getUserMedia.mockReset();
  cameras = [];
  permission = Object.assign(new EventTarget(), { state: 'granted' });
  const enumerateDevices = async () => cameras;
  devices = Object.assign(new EventTarget(), { getUserMedia, enumerateDevices });
  const permissions = { query: async () => permission };
  vi.stubGlobal('navigator', { ...navigator, mediaDevices: devices, permissions });
  return () => {
    for (const release of releases.splice(0)) release();
    localStorage.clear();
  };
});

async function opened(track: FakeTrack): Promise<Camera> {
  getUserMedia.mockResolvedValue(streamOf(track));
  const camera = new Camera();
  releases.push(camera.hold());
  await camera.open();
  return camera;
}

/** A camera that fails to open with this error. */
async function failed(error: Error): Promise<Camera> {
  getUserMedia.mockRejectedValueOnce(error);
  const camera = new Camera();
  releases.push(camera.hold());
  expect(await camera.open()).toMatchObject({ kind: 'failed' });
  getUserMedia.mockResolvedValue(streamOf(new FakeTrack()));
  return camera;
}
const isOn = (camera: Camera) => vi.waitFor(() => expect(camera.store.getState().kind).toBe('on'));
/** Any event that could cause another try has been handled by now. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

describe('the camera', () => {
  test('is opened once, for the preview and the room together, and never with sound', async () => {
    const track = new FakeTrack();
    getUserMedia.mockResolvedValue(streamOf(track));
    const camera = new Camera();
    const releases = [camera.hold(), camera.hold()];
    expect(await camera.open()).toMatchObject({ kind: 'on', track });
    expect(getUserMedia).toHaveBeenCalledTimes(1);
    expect(getUserMedia.mock.calls[0]?.[0]).toMatchObject({
      audio: false,
      video: { width: { ideal: 640 }, height: { ideal: 360 } },
    });
    releases[0]?.();
    releases[0]?.();
    expect(track.readyState).toBe('live');
    releases[1]?.();
    expect(track.readyState).toBe('ended');
    expect(camera.store.getState()).toEqual({ kind: 'off' });
  });

  test('without a holder is not opened', async () => {
    expect(await new Camera().open()).toEqual({ kind: 'off' });
    expect(getUserMedia).not.toHaveBeenCalled();
  });

  test('released during the browser’s prompt is switched off after the answer', async () => {
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

  test('reports why it cannot be opened, and can be tried again', async () => {
    getUserMedia.mockRejectedValueOnce(refusal('NotAllowedError'));
    const camera = new Camera();
    camera.hold();
    expect(await camera.open()).toEqual({ kind: 'failed', problem: 'denied' });
    getUserMedia.mockResolvedValueOnce(streamOf(new FakeTrack()));
    expect(await camera.open()).toMatchObject({ kind: 'on' });
  });

  test('waits a moment for another tab to release it', async () => {
    vi.useFakeTimers();
    getUserMedia.mockRejectedValueOnce(refusal('NotReadableError'));
    getUserMedia.mockResolvedValueOnce(streamOf(new FakeTrack()));
    const camera = new Camera();
    camera.hold();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(camera.store.getState()).toMatchObject({ kind: 'on' });
  });

  test('notices that it is unplugged or covered', async () => {
    const track = new FakeTrack();
    const camera = await opened(track);
    track.dispatchEvent(new Event('mute'));
    expect(camera.store.getState()).toMatchObject({ kind: 'on', isPaused: true });
    track.dispatchEvent(new Event('unmute'));
    expect(camera.store.getState()).toMatchObject({ kind: 'on', isPaused: false });
    track.dispatchEvent(new Event('ended'));
    expect(camera.store.getState()).toEqual({ kind: 'failed', problem: 'unplugged' });
  });

  test.each([
    [false, 'insecure'],
    [true, 'unsupported'],
  ])('without devices is not even asked for (secure page: %s): %s', async (isSecure, problem) => {
    vi.stubGlobal('navigator', {});
    vi.stubGlobal('isSecureContext', isSecure);
    const camera = new Camera();
    camera.hold();
    expect(await camera.open()).toEqual({ kind: 'failed', problem });
  });
});

describe('a camera that failed is tried again', () => {
  test('when one is plugged in', async () => {
    const camera = await failed(refusal('NotFoundError'));
    devices.dispatchEvent(new Event('devicechange'));
    await isOn(camera);
  });

  test('when a refusal is lifted in the settings of the site, and not before', async () => {
    permission.state = 'denied';
    const camera = await failed(refusal('NotAllowedError', 'Permission denied'));
    devices.dispatchEvent(new Event('devicechange'));
    permission.dispatchEvent(new Event('change'));
    await settled();
    expect(getUserMedia).toHaveBeenCalledTimes(1);
    permission.state = 'granted';
    permission.dispatchEvent(new Event('change'));
    await isOn(camera);
  });

  test('when the person comes back, and not when they answer the browser’s prompt', async () => {
    const now = vi.spyOn(performance, 'now');
    now.mockReturnValue(5_000);
    const camera = await failed(refusal('NotAllowedError', 'Permission denied by system'));
    now.mockReturnValue(5_100);
    window.dispatchEvent(new Event('focus'));
    await settled();
    expect(getUserMedia).toHaveBeenCalledTimes(1);
    now.mockReturnValue(60_000);
    window.dispatchEvent(new Event('focus'));
    await isOn(camera);
  });

  test('when the same one is plugged in again: the learner has not chosen any other', async () => {
    cameras = [newCamera('FaceTime HD'), newCamera('Desk camera')];
    const track = new FakeTrack('Desk camera');
    const camera = await opened(track);
    cameras.pop();
    track.dispatchEvent(new Event('ended'));
    devices.dispatchEvent(new Event('devicechange'));
    await settled();
    expect(camera.store.getState()).toEqual({ kind: 'failed', problem: 'unplugged' });
    cameras.push(newCamera('Desk camera'));
    devices.dispatchEvent(new Event('devicechange'));
    await isOn(camera);
  });

  test('but never while it is on: Safari would end its picture', async () => {
    await opened(new FakeTrack());
    devices.dispatchEvent(new Event('devicechange'));
    window.dispatchEvent(new Event('focus'));
    permission.dispatchEvent(new Event('change'));
    await settled();
    expect(getUserMedia).toHaveBeenCalledTimes(1);
  });
});

describe('a camera that the learner turned off', () => {
  test('has its light off until it is turned on, with the same device', async () => {
    const track = new FakeTrack();
    const camera = await opened(track);
    camera.turn(false);
    expect(track.readyState).toBe('ended');
    // The room and the window's focus retry failed cameras, not this one.
    expect(await camera.open()).toEqual({ kind: 'off' });
    const next = new FakeTrack();
    getUserMedia.mockResolvedValue(streamOf(next));
    camera.turn(true);
    expect(await camera.open()).toMatchObject({ kind: 'on', track: next });
  });

  test('is still opened for a preview, and shared with the room only once it is on', async () => {
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

describe('on a phone', () => {
  const show = (visibility: DocumentVisibilityState) => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility);
    document.dispatchEvent(new Event('visibilitychange'));
  };

  test('it is paused while the page is hidden, and gives a picture again after that', async () => {
    vi.stubGlobal('navigator', { ...navigator, userAgentData: { mobile: true } });
    const track = new FakeTrack();
    const camera = await opened(track);
    show('hidden');
    expect(camera.store.getState()).toMatchObject({ kind: 'on', isPaused: true });
    // The media library does this after 5 s and does not undo it.
    track.enabled = false;
    show('visible');
    expect(camera.store.getState()).toMatchObject({ kind: 'on', isPaused: false });
    expect(track.enabled).toBe(true);
  });

  test('nothing changes on a computer when the page is hidden', async () => {
    const camera = await opened(new FakeTrack());
    show('hidden');
    expect(camera.store.getState()).toMatchObject({ kind: 'on', isPaused: false });
  });
});

describe('the camera that was chosen', () => {
  const askedFor = () => getUserMedia.mock.lastCall?.[0].video;
  const desk = newCamera('Desk camera');

  test('replaces the first one, and is remembered', async () => {
    const track = new FakeTrack();
    const camera = await opened(track);
    const other = new FakeTrack('Desk camera');
    getUserMedia.mockResolvedValue(streamOf(other));
    camera.choose(desk);
    expect(track.readyState).toBe('ended');
    expect(await camera.open()).toMatchObject({
      kind: 'on',
      track: other,
      deviceId: desk.deviceId,
    });
    expect(askedFor()).toMatchObject({ deviceId: { ideal: desk.deviceId } });
    await opened(new FakeTrack());
    expect(askedFor()).toMatchObject({ deviceId: { ideal: desk.deviceId } });
  });

  test('is found again by its name where the browser has changed its id', async () => {
    (await opened(new FakeTrack())).choose(desk);
    cameras = [newCamera('FaceTime HD'), { ...desk, deviceId: 'changed' }];
    await opened(new FakeTrack());
    expect(askedFor()).toMatchObject({ deviceId: { ideal: 'changed' } });
  });

  test('stays chosen while cameras have no names yet, and while it is unplugged', async () => {
    (await opened(new FakeTrack())).choose(desk);
    for (const found of [{ ...newCamera(''), deviceId: '' }, newCamera('FaceTime HD')]) {
      cameras = [found];
      await opened(new FakeTrack());
      expect(askedFor()).toMatchObject({ deviceId: { ideal: desk.deviceId } });
    }
  });
});

test('fewer frames are taken on demand, by the next device too, and other constraints stay', async () => {
  const track = new FakeTrack();
  const camera = await opened(track);
  track.constraints = { width: { ideal: 640 } };
  camera.takeFewFrames(true);
  expect(track.constraints).toEqual({ width: { ideal: 640 }, frameRate: { ideal: 8, max: 8 } });
  camera.takeFewFrames(false);
  expect(track.constraints.frameRate).toEqual({ ideal: 15 });
  camera.takeFewFrames(true);
  const next = new FakeTrack();
  getUserMedia.mockResolvedValue(streamOf(next));
  camera.choose(newCamera('Desk camera'));
  await camera.open();
  expect(next.constraints.frameRate).toEqual({ ideal: 8, max: 8 });
  localStorage.clear();
});

describe('an effect', () => {
  async function withEffect(effect: CameraEffect): Promise<{ camera: Camera; device: FakeTrack }> {
    const camera = await opened(new FakeTrack());
    const device = new FakeTrack();
    getUserMedia.mockResolvedValue(streamOf(device));
    camera.setEffect(effect);
    return { camera, device };
  }

  test('transforms the device’s picture, and ends with it', async () => {
    const shown = new FakeTrack() as unknown as MediaStreamTrack;
    const apply = vi.fn<CameraEffect>(async () => shown);
    const { camera, device } = await withEffect(apply);
    expect(await camera.open()).toMatchObject({ kind: 'on', track: shown });
    expect(apply.mock.lastCall?.[0]).toBe(device);
    camera.turn(false);
    expect(apply.mock.lastCall?.[1].signal.aborted).toBe(true);
    expect(device.readyState).toBe('ended');
  });

  test('that is not ready shows nothing, and is cancelled with the camera', async () => {
    const apply = vi.fn<CameraEffect>(() => new Promise(() => undefined));
    const { camera, device } = await withEffect(apply);
    await vi.waitFor(() => expect(apply).toHaveBeenCalled());
    expect(camera.store.getState()).toEqual({ kind: 'starting' });
    camera.turn(false);
    expect(apply.mock.lastCall?.[1].signal.aborted).toBe(true);
    expect(device.readyState).toBe('ended');
    expect(camera.store.getState()).toEqual({ kind: 'off' });
  });

  test('that takes longer than 30 s to start has failed, and can be tried again', async () => {
    const apply = vi.fn<CameraEffect>(() => new Promise(() => undefined));
    const { camera, device } = await withEffect(apply);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    camera.setEffect(apply);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(camera.store.getState()).toEqual({ kind: 'starting' });
    await vi.advanceTimersByTimeAsync(1);
    expect(camera.store.getState()).toEqual({ kind: 'failed', problem: 'blurFailed' });
    expect(apply.mock.lastCall?.[1].signal.aborted).toBe(true);
    expect(device.readyState).toBe('ended');

    const next = new FakeTrack();
    getUserMedia.mockResolvedValue(streamOf(next));
    apply.mockImplementation(async (track) => track);
    expect(await camera.open()).toMatchObject({ kind: 'on', track: next });
  });

  test('that fails removes the picture, at once or later', async () => {
    const apply = vi.fn<CameraEffect>(() => Promise.reject(new Error('no model')));
    const { camera, device } = await withEffect(apply);
    expect(await camera.open()).toEqual({ kind: 'failed', problem: 'blurFailed' });
    expect(device.readyState).toBe('ended');

    const next = new FakeTrack();
    getUserMedia.mockResolvedValue(streamOf(next));
    apply.mockImplementation(async (track) => track);
    expect(await camera.open()).toMatchObject({ kind: 'on', track: next });
    apply.mock.lastCall?.[1].onFailed('blurSlow');
    expect(camera.store.getState()).toEqual({ kind: 'failed', problem: 'blurSlow' });
    expect(next.readyState).toBe('ended');
  });
});
