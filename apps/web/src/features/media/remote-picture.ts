import type { RemoteTrackPublication, RemoteVideoTrack, Room } from 'livekit-client';
import type { Picture } from './video-picture.tsx';

/**
 * Another learner's camera. It is downloaded while one of its elements is visible, and stops at once when
 * none is: the media library alone continues for 5 s after a tab was hidden.
 */
class RemotePicture implements Picture {
  readonly #publication: RemoteTrackPublication;
  /** The track shown until the library provides its own. */
  readonly #arrived: MediaStreamTrack | null;
  #track: RemoteVideoTrack | null = null;
  /** The cleanup function of each watched element. */
  readonly #watched = new Map<HTMLVideoElement, () => void>();
  readonly #seen = new Set<HTMLVideoElement>();

  constructor(publication: RemoteTrackPublication, arrived: MediaStreamTrack | null) {
    this.#publication = publication;
    this.#arrived = arrived;
  }

  /** Its elements stay unchanged: the library takes over their stream. */
  follow(track: RemoteVideoTrack): void {
    if (this.#track !== null) return;
    this.#track = track;
    for (const element of this.#watched.keys()) track.attach(element);
    this.#download();
  }

  get element(): HTMLVideoElement | undefined {
    return this.#watched.keys().next().value;
  }

  attach(element: HTMLVideoElement): void {
    if (this.#track !== null) this.#track.attach(element);
    else if (this.#arrived !== null) element.srcObject = new MediaStream([this.#arrived]);
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
    if (this.#track === null) element.srcObject = null;
    else this.#track.detach(element);
    this.#download();
  }

  #download(): void {
    // A picture that was replaced by a newer track or became unwanted meanwhile stays as it is.
    if (this.#track === null || this.#publication.track !== this.#track) return;
    if (!this.#publication.isDesired) return;
    this.#publication.setEnabled(this.#seen.size > 0);
  }
}

const pictures = new WeakMap<RemoteVideoTrack, RemotePicture>();
/** Pictures of tracks that arrived before the library knew them. */
const arrivals = new WeakMap<RemoteTrackPublication, RemotePicture>();

/**
 * A track is about to arrive in a room: it is shown at once, so that its element and decoder are ready for
 * the first frame. The media server names track and stream.
 */
export function noteArrival(room: Room, media: MediaStreamTrack, stream: MediaStream): void {
  // Firefox renames tracks; there the stream's id contains both names.
  const sids = [media.id, stream.id.split('|')[1]];
  for (const participant of room.remoteParticipants.values()) {
    for (const publication of participant.videoTrackPublications.values()) {
      if (!sids.includes(publication.trackSid) || publication.videoTrack) continue;
      arrivals.set(publication, new RemotePicture(publication, media));
    }
  }
}

/** The picture of a track, always the same object; null before there is a track. */
export function remotePicture(publication: RemoteTrackPublication | undefined): Picture | null {
  if (publication === undefined) return null;
  const arrived = arrivals.get(publication);
  const track = publication.videoTrack as RemoteVideoTrack | undefined;
  if (track === undefined) return (publication.isDesired && arrived) || null;
  arrivals.delete(publication);
  const picture = pictures.get(track) ?? arrived ?? new RemotePicture(publication, null);
  pictures.set(track, picture);
  picture.follow(track);
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
