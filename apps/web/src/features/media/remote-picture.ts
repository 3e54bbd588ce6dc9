import { isCameraTooLarge } from '@mogakgong/contract';
import type { RemoteTrackPublication, RemoteVideoTrack } from 'livekit-client';
import type { Picture } from './video-picture.tsx';

/**
 * Another learner's camera. It is downloaded while one of its elements is visible, and stops at once when
 * none is: the media library alone continues for 5 s after a tab was hidden.
 */
class RemotePicture implements Picture {
  readonly #publication: RemoteTrackPublication;
  readonly #track: RemoteVideoTrack;
  /** The cleanup function of each watched element. */
  readonly #watched = new Map<HTMLVideoElement, () => void>();
  readonly #seen = new Set<HTMLVideoElement>();
  readonly #onTooLarge: () => void;

  constructor(
    publication: RemoteTrackPublication,
    track: RemoteVideoTrack,
    onTooLarge: () => void,
  ) {
    this.#publication = publication;
    this.#track = track;
    this.#onTooLarge = onTooLarge;
  }

  get element(): HTMLVideoElement | undefined {
    return this.#watched.keys().next().value;
  }

  attach(element: HTMLVideoElement): void {
    this.#track.attach(element);
    this.#watched.get(element)?.();
    const stopWatching = watchVisibility(element, (isSeen) => {
      if (isSeen) this.#seen.add(element);
      else this.#seen.delete(element);
      this.#download();
    });
    const measure = () => {
      const { videoWidth: width, videoHeight: height } = element;
      if (isCameraTooLarge({ width, height })) this.#onTooLarge();
    };
    element.addEventListener('resize', measure);
    this.#watched.set(element, () => {
      stopWatching();
      element.removeEventListener('resize', measure);
    });
  }

  detach(element: HTMLVideoElement): void {
    this.#watched.get(element)?.();
    this.#watched.delete(element);
    this.#seen.delete(element);
    this.#track.detach(element);
    this.#download();
  }

  #download(): void {
    // A picture that was replaced by a newer track or became unwanted meanwhile stays as it is.
    if (this.#publication.track !== this.#track) return;
    if (!this.#publication.isDesired) return;
    this.#publication.setEnabled(this.#seen.size > 0);
  }
}

const pictures = new WeakMap<RemoteVideoTrack, RemotePicture>();

/**
 * The picture of a track, always the same object; null before there is a track.
 * @param onTooLarge called when its frames turn out larger than allowed: the media server knows only the size
 *   that the sender declares, and a frame of 64 megapixels takes a gigabyte.
 */
export function remotePicture(
  publication: RemoteTrackPublication | undefined,
  onTooLarge: () => void,
): Picture | null {
  const track = publication?.videoTrack as RemoteVideoTrack | undefined;
  if (!publication || !track) return null;
  const picture = pictures.get(track) ?? new RemotePicture(publication, track, onTooLarge);
  pictures.set(track, picture);
  return picture;
}

/**
 * Calls `onChange` now and whenever an element may have become visible or invisible: scrolled out, in a
 * hidden tab, or floating in a window of its own, which stays visible. Returns a cleanup function.
 */
function watchVisibility(
  element: HTMLVideoElement,
  onChange: (isSeen: boolean) => void,
): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  let isScrolledOut = false;
  const isFloating = () =>
    element.ownerDocument !== document || document.pictureInPictureElement === element;
  const report = () => onChange(isFloating() || !(isScrolledOut || document.hidden));
  const observer = new IntersectionObserver((entries) => {
    isScrolledOut = entries.at(-1)?.isIntersecting === false;
    report();
  });
  observer.observe(element);
  document.addEventListener('visibilitychange', report, { signal });
  element.addEventListener('enterpictureinpicture', report, { signal });
  element.addEventListener('leavepictureinpicture', report, { signal });
  report();
  return () => {
    stop.abort();
    observer.disconnect();
  };
}
