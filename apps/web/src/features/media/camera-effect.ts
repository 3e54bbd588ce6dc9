import type { BlurProblem } from './camera-problem.ts';

/**
 * Produces the shown and sent track from the device's, until `signal` aborts. Rejects when it cannot start;
 * `onFailed` is called when it fails later.
 */
export type CameraEffect = (
  device: MediaStreamTrack,
  options: { readonly signal: AbortSignal; readonly onFailed: (problem: BlurProblem) => void },
) => Promise<MediaStreamTrack>;
