/** Whether this browser gives camera frames to workers, as Chromium does. */
export function canBlur(): boolean {
  return 'MediaStreamTrackProcessor' in window && 'MediaStreamTrackGenerator' in window;
}
