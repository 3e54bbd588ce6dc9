/** Something that can put its moving picture into a video element. */
export interface Picture {
  attach(element: HTMLVideoElement): unknown;
  detach(element: HTMLVideoElement): unknown;
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
