import { useEffect, useEffectEvent, useRef } from 'react';
import { classNames } from '../../shared/ui/class-names.ts';

/** A moving picture that can be attached to a video element. */
export interface Picture {
  attach(element: HTMLVideoElement): unknown;
  detach(element: HTMLVideoElement): unknown;
  /** An element that shows it now; the own camera's has none. */
  readonly element?: HTMLVideoElement | undefined;
}

/** A camera's own picture, shown directly, with or without a room. */
export function cameraPicture(track: MediaStreamTrack): Picture {
  return {
    attach: (element) => {
      element.srcObject = new MediaStream([track]);
    },
    detach: (element) => {
      element.srcObject = null;
    },
  };
}

interface VideoPictureProps {
  readonly picture: Picture;
  /** The learner's own picture is mirrored. */
  readonly isMirrored?: boolean;
  /** Called when the first frame is on the screen. */
  readonly onFirstFrame?: (() => void) | undefined;
}

/**
 * React listens to each event of every video, and nothing uses this one: twenty videos send 74 a second, half of
 * what a quiet room costs the page's thread (decision 085).
 */
const ignoreTime = (event: Event) => event.stopImmediatePropagation();

/** A moving picture that fills its container. It has no sound; its name is stated beside it. */
export function VideoPicture({ picture, isMirrored = false, onFirstFrame }: VideoPictureProps) {
  const ref = useRef<HTMLVideoElement>(null);
  const showFirstFrame = useEffectEvent(() => onFirstFrame?.());

  useEffect(() => {
    const video = ref.current;
    if (video === null) return;
    // A listener that is there already is not added again.
    window.addEventListener('timeupdate', ignoreTime, { capture: true });
    // React sets `muted` too late for the browsers' rule that only silent videos start by themselves.
    video.muted = true;
    picture.attach(video);
    const request = video.requestVideoFrameCallback?.(showFirstFrame);
    return () => {
      if (request !== undefined) video.cancelVideoFrameCallback(request);
      picture.detach(video);
    };
  }, [picture]);

  return (
    <video
      ref={ref}
      autoPlay
      playsInline
      muted
      className={classNames('size-full object-cover', isMirrored && '-scale-x-100')}
    />
  );
}
