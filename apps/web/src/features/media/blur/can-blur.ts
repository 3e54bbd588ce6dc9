/** Whether this browser gives workers the frames of a camera: Chromium's do. */
export function canBlur(): boolean {
  return 'MediaStreamTrackProcessor' in window && 'MediaStreamTrackGenerator' in window;
}
