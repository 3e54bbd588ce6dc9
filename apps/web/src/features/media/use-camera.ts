import { useSyncExternalStore } from 'react';
import { type CameraState, camera } from './camera.ts';

/** The page's camera as it is now. */
export function useCamera(): CameraState {
  return useSyncExternalStore(camera.subscribe, camera.getState);
}
