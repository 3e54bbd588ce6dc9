import type { BlurProblem } from './camera-problem.ts';

/**
 * Makes the picture that is shown and sent from the device's, until `signal` aborts. Rejects when it
 * cannot; `onFailed` is called when it cannot any more.
 */
export type CameraEffect = (
  device: MediaStreamTrack,
  options: { readonly signal: AbortSignal; readonly onFailed: (problem: BlurProblem) => void },
) => Promise<MediaStreamTrack>;
