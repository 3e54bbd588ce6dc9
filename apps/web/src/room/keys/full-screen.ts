import { useRoomView } from '../live/room-view.ts';

const isScreenFull = () => Boolean(document.fullscreenElement);

/**
 * Shows only pictures and clocks, on the whole screen where the browser allows it: an iPhone has no full
 * screen. There they take the whole window.
 */
export function setFullScreen(isFullScreen: boolean): void {
  useRoomView.setState({ isFullScreen });
  if (document.fullscreenEnabled !== true || isFullScreen === isScreenFull()) return;
  const page = document.documentElement;
  const change = isFullScreen ? page.requestFullscreen() : document.exitFullscreen();
  // Refused, or ended at the same moment.
  change.catch(() => undefined);
}

export function toggleFullScreen(): void {
  setFullScreen(!useRoomView.getState().isFullScreen);
}

// Escape ends it in the browser itself; a fast second press comes before the browser has begun.
document.addEventListener('fullscreenchange', () => {
  if (isScreenFull() !== useRoomView.getState().isFullScreen) setFullScreen(false);
});
