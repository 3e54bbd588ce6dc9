/** For pages that need the camera only: it does not bring the media service's library. */
export { type CameraState, camera, useCamera } from './camera.ts';
export { CameraHelp } from './camera-help.tsx';
export { isBlurProblem } from './camera-problem.ts';
export { markEntering, markOnce } from './performance-marks.ts';
export { useWakeLock } from './use-wake-lock.ts';
export { type Picture, VideoPicture } from './video-picture.tsx';
