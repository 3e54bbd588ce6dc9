/** The door for pages that need the camera only: it does not bring the media service's library. */
export { camera } from './camera.ts';
export { CameraHelp } from './camera-help.tsx';
export { markEntering, markOnce } from './performance-marks.ts';
export { cameraPicture } from './picture.ts';
export { useCamera } from './use-camera.ts';
export { useWakeLock } from './use-wake-lock.ts';
export { VideoPicture } from './video-picture.tsx';
