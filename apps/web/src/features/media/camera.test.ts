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

describe('the camera', () => {
  test('is opened once, for the preview and the room together, and never with sound', async () => {
    const track = new FakeTrack();
    getUserMedia.mockResolvedValue(streamOf(track));
    const camera = new Camera();
    const [first, second] = await Promise.all([camera.open(), camera.open()]);
    expect(first).toBe(second);
    expect(await camera.open()).toMatchObject({ kind: 'on', track });
    expect(getUserMedia).toHaveBeenCalledTimes(1);
    expect(getUserMedia.mock.calls[0]?.[0].audio).toBe(false);
  });

  test('that is closed while the question is open goes out again when it is answered', async () => {
    const track = new FakeTrack();
    const { promise, resolve } = Promise.withResolvers<MediaStream>();
    getUserMedia.mockReturnValue(promise);
    const camera = new Camera();
    const opening = camera.open();
    camera.close();
    resolve(streamOf(track));
    expect(await opening).toEqual({ kind: 'off' });
    expect(track.readyState).toBe('ended');
  });

  test('says why it cannot be opened, and can be tried again', async () => {
    getUserMedia.mockRejectedValueOnce(refusal('NotAllowedError'));
    const camera = new Camera();
    expect(await camera.open()).toEqual({ kind: 'failed', problem: 'denied' });
    getUserMedia.mockResolvedValueOnce(streamOf(new FakeTrack()));
    expect(await camera.open()).toMatchObject({ kind: 'on' });
  });

  test('waits a moment for another tab to let go of it', async () => {
    vi.useFakeTimers();
    getUserMedia.mockRejectedValueOnce(refusal('NotReadableError'));
    getUserMedia.mockResolvedValueOnce(streamOf(new FakeTrack()));
    const opening = new Camera().open();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await opening).toMatchObject({ kind: 'on' });
    vi.useRealTimers();
  });

  test('notices that it is pulled out or covered', async () => {
    const track = new FakeTrack();
    getUserMedia.mockResolvedValue(streamOf(track));
    const camera = new Camera();
    await camera.open();
    track.dispatchEvent(new Event('mute'));
    expect(camera.getState()).toMatchObject({ kind: 'on', isPaused: true });
    track.dispatchEvent(new Event('unmute'));
    expect(camera.getState()).toMatchObject({ kind: 'on', isPaused: false });
    track.dispatchEvent(new Event('ended'));
    expect(camera.getState()).toEqual({ kind: 'failed', problem: 'unplugged' });
  });

  test('on an insecure page is not even asked for', async () => {
    vi.stubGlobal('navigator', {});
    expect(await new Camera().open()).toEqual({ kind: 'failed', problem: 'insecure' });
  });
});
