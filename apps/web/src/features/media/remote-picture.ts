import type { RemoteTrackPublication, RemoteVideoTrack } from 'livekit-client';
import type { Picture } from './video-picture.tsx';

/**
 * Another learner's camera. It is downloaded while somebody can see one of the elements that show it,
 * and stops at once when nobody can: the media library alone goes on for 5 s after a tab was hidden.
 */
class RemotePicture implements Picture {
  readonly #publication: RemoteTrackPublication;
  readonly #track: RemoteVideoTrack;
  /** How to stop watching each element that shows the picture. */
  readonly #watched = new Map<HTMLVideoElement, () => void>();
  readonly #seen = new Set<HTMLVideoElement>();

  constructor(publication: RemoteTrackPublication, track: RemoteVideoTrack) {
    this.#publication = publication;
    this.#track = track;
  }

  attach(element: HTMLVideoElement): void {
    this.#track.attach(element);
    this.#watched.get(element)?.();
    const stop = watchVisibility(element, (isSeen) => {
      if (isSeen) this.#seen.add(element);
      else this.#seen.delete(element);
      this.#download();
    });
    this.#watched.set(element, stop);
  }

  detach(element: HTMLVideoElement): void {
    this.#watched.get(element)?.();
    this.#watched.delete(element);
    this.#seen.delete(element);
    this.#track.detach(element);
    this.#download();
  }

  #download(): void {
    // One that was given up meanwhile, for a newer track or because it is unwanted, stays as it is.
    if (this.#publication.track !== this.#track || !this.#publication.isDesired) return;
    this.#publication.setEnabled(this.#seen.size > 0);
  }
}

const pictures = new WeakMap<RemoteVideoTrack, Picture>();

/** The picture of a track, always the same one; null before there is a track. */
export function remotePicture(publication: RemoteTrackPublication | undefined): Picture | null {
  const track = publication?.videoTrack as RemoteVideoTrack | undefined;
  if (publication === undefined || track === undefined) return null;
  const picture = pictures.get(track) ?? new RemotePicture(publication, track);
  pictures.set(track, picture);
  return picture;
}

/**
 * Calls `onChange` now and whenever an element may have come into view or gone out of it: scrolled out,
 * in a hidden tab, or floating in a window of its own, which stays in view. Answers how to stop.
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
