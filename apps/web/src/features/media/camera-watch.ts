import { onWake } from '../../shared/clock/index.ts';
import { listCameras } from './camera-devices.ts';
import { type BlurProblem, type CameraProblem, cameraPermission } from './camera-problem.ts';

/**
 * A focus event this soon after a failure comes from the answered browser prompt, not from the person's
 * return.
 */
const ANSWERED_MS = 1_000;
type Problem = CameraProblem | BlurProblem;
/** Problems that nothing outside the page can solve. */
const FINAL = new Set<Problem>(['insecure', 'unsupported', 'blurFailed', 'blurSlow']);
/** The person refused: only their permission changes that. */
const REFUSED = new Set<Problem>(['denied', 'dismissed']);

interface WatchedCamera {
  readonly store: {
    getState(): { readonly kind: string; readonly problem?: Problem };
    subscribe(listener: () => void): () => void;
  };
  readonly lostLabel: string;
  open(): Promise<unknown>;
}

/**
 * Opens a failed camera again when its problem may be solved: a device was plugged in, the permission
 * changed, the person came back from settings or another program. A camera that is on is never requested
 * again: Safari would end its picture. Returns a cleanup function.
 */
export function watchForCamera(camera: WatchedCamera): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const retry = async () => {
    const state = camera.store.getState();
    if (!state.problem || !(await mayHaveHealed(state.problem, camera.lostLabel))) return;
    if (!signal.aborted && camera.store.getState() === state) void camera.open();
  };
  let changedAtMs = 0;
  const stopFollowing = camera.store.subscribe(() => {
    changedAtMs = performance.now();
  });
  signal.addEventListener('abort', stopFollowing);
  const retrySoon = () => void retry();
  const retryOnReturn = () => performance.now() > changedAtMs + ANSWERED_MS && retrySoon();
  navigator.mediaDevices?.addEventListener?.('devicechange', retrySoon, { signal });
  window.addEventListener('focus', retryOnReturn, { signal });
  signal.addEventListener('abort', onWake(retryOnReturn));
  navigator.permissions
    ?.query({ name: 'camera' as PermissionName })
    .then((status) => {
      if (!signal.aborted) status.addEventListener('change', retrySoon, { signal });
    })
    // Not every browser knows the permission's name; the other signs remain.
    .catch(() => undefined);
  return () => stop.abort();
}

/** Whether another try makes sense and does not repeat a prompt that the person has answered. */
async function mayHaveHealed(problem: Problem, lostLabel: string): Promise<boolean> {
  if (FINAL.has(problem)) return false;
  if (REFUSED.has(problem)) return (await cameraPermission()) === 'granted';
  if (problem !== 'unplugged') return true;
  // Another camera may point elsewhere: the learner chooses it.
  return (await listCameras()).some(({ label }) => label === lostLabel);
}
