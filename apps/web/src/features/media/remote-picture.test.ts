import type { RemoteTrackPublication } from 'livekit-client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { remotePicture as pictureOf } from './remote-picture.ts';

type Report = (entries: { isIntersecting: boolean }[]) => void;
let scroll: (isIntersecting: boolean) => void;
const disconnect = vi.fn();
const onTooLarge = vi.fn();
const remotePicture = (publication: RemoteTrackPublication | undefined) =>
  pictureOf(publication, onTooLarge);
const setEnabled = vi.fn();
const madeTrack = () => ({ attach: vi.fn(), detach: vi.fn() });
let videoTrack = madeTrack();

function setTab(isHidden: boolean) {
  Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}

function publication(more: object = {}) {
  const made = { videoTrack, track: videoTrack, isDesired: true, setEnabled, ...more };
  return made as unknown as RemoteTrackPublication;
}

const isDownloaded = () => setEnabled.mock.lastCall?.[0];

beforeEach(() => {
  vi.clearAllMocks();
  videoTrack = madeTrack();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(report: Report) {
        scroll = (isIntersecting) => report([{ isIntersecting }]);
      }
      observe() {}
      disconnect = disconnect;
    },
  );
});
afterEach(() => Reflect.deleteProperty(document, 'hidden'));

test('a picture is downloaded while one of its elements is visible', () => {
  const picture = remotePicture(publication({ track: videoTrack }));
  const element = document.createElement('video');
  picture?.attach(element);
  expect(isDownloaded()).toBe(true);
  scroll(false);
  expect(isDownloaded()).toBe(false);
  scroll(true);
  setTab(true);
  expect(isDownloaded()).toBe(false);
  setTab(false);
  expect(isDownloaded()).toBe(true);
  picture?.detach(element);
  expect(isDownloaded()).toBe(false);
  expect(disconnect).toHaveBeenCalledOnce();
});

test('in a window of its own it continues while the tab is hidden', () => {
  const track = madeTrack();
  const picture = remotePicture(publication({ videoTrack: track, track }));
  const [tile, floating] = [document.createElement('video'), document.createElement('video')];
  document.implementation.createHTMLDocument().body.append(floating);
  picture?.attach(tile);
  picture?.attach(floating);
  setTab(true);
  expect(isDownloaded()).toBe(true);
  picture?.detach(floating);
  expect(isDownloaded()).toBe(false);
});

test('a picture that is no longer wanted is not requested', () => {
  const track = madeTrack();
  const unwanted = publication({ videoTrack: track, track, isDesired: false });
  remotePicture(unwanted)?.attach(document.createElement('video'));
  expect(setEnabled).not.toHaveBeenCalled();
});

test('a track has one picture, so that no element restarts', () => {
  const [track, next] = [madeTrack(), madeTrack()];
  const first = publication({ videoTrack: track });
  expect(remotePicture(first)).toBe(remotePicture(first));
  expect(remotePicture(publication({ videoTrack: next }))).not.toBe(remotePicture(first));
  expect(remotePicture(publication({ videoTrack: undefined }))).toBeNull();
});

test.each([
  [1280, 720, false],
  [720, 1280, false],
  [1282, 720, true],
  [8_000, 8_000, true],
])('a picture of %i × %i pixels is too large: %s', (width, height, isTooLarge) => {
  const element = document.createElement('video');
  const picture = remotePicture(publication());
  picture?.attach(element);
  Object.defineProperties(element, {
    videoWidth: { value: width },
    videoHeight: { value: height },
  });
  element.dispatchEvent(new Event('resize'));
  expect(onTooLarge).toHaveBeenCalledTimes(isTooLarge ? 1 : 0);
});
