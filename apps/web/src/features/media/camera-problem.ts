import { listCameras } from './camera-devices.ts';

/**
 * Why there is no camera picture. Each cause has its own text and solution:
 * `denied` by the person in the browser · `dismissed`: the browser's prompt was closed · `blockedBySystem` by
 * the operating system · `inUse` by another program or tab · `missing` · `insecure` page (browsers give
 * cameras to https and localhost only) · `unsupported` by this browser · `unplugged` while it was on ·
 * `unknown`.
 */
export type CameraProblem =
  | 'denied'
  | 'dismissed'
  | 'blockedBySystem'
  | 'inUse'
  | 'missing'
  | 'insecure'
  | 'unsupported'
  | 'unplugged'
  | 'unknown';

/** The camera works, but its background cannot be blurred smoothly, so it is not shown. */
export type BlurProblem = 'blurFailed' | 'blurSlow';

export const isBlurProblem = (problem: CameraProblem | BlurProblem): problem is BlurProblem =>
  problem === 'blurFailed' || problem === 'blurSlow';

/** By the names of `getUserMedia` errors. */
const problemOfName: Readonly<Record<string, CameraProblem>> = {
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
  NotReadableError: 'inUse',
  AbortError: 'inUse',
  NotAllowedError: 'denied',
  SecurityError: 'denied',
};

/** Chromium's message tells the refusing side. */
const CHROMIUM_REFUSALS: readonly (readonly [RegExp, CameraProblem])[] = [
  [/denied by system/iu, 'blockedBySystem'],
  [/permission dismissed/iu, 'dismissed'],
  [/permission denied/iu, 'denied'],
];

/** The browser's state of the permission; `unknown` where it has no answer. */
export async function cameraPermission(): Promise<PermissionState | 'unknown'> {
  const asked = navigator.permissions?.query({ name: 'camera' as PermissionName });
  // Not every browser knows this permission name.
  return (await asked?.catch(() => undefined))?.state ?? 'unknown';
}

/** The cause behind a failed `getUserMedia`. */
export async function cameraProblem(error: unknown): Promise<CameraProblem> {
  const { name, message } = error instanceof Error ? error : { name: '', message: '' };
  const problem = problemOfName[name] ?? 'unknown';
  if (problem === 'denied') {
    const isSaid = CHROMIUM_REFUSALS.find(([refusal]) => refusal.test(message))?.[1];
    // Elsewhere a dismissed prompt can be shown again.
    return isSaid ?? ((await cameraPermission()) === 'prompt' ? 'dismissed' : 'denied');
  }
  // Firefox reports a camera as missing where the system blocks it, but still lists it.
  if (problem === 'missing' && (await listCameras()).length > 0) return 'blockedBySystem';
  return problem;
}
